import { Registry } from 'prom-client'
import { Firings } from '../../src/accounts/alerts/firings.ts'
import { AlertRules } from '../../src/accounts/alerts/rules.ts'
import { Webhooks } from '../../src/accounts/alerts/webhooks.ts'
import { Alerts } from '../../src/alerts/alerts.ts'
import { pushSender } from '../../src/alerts/push/push-sender.ts'
import { post } from '../../src/alerts/webhook/post.ts'
import { easternDate } from '../../src/market/eastern.ts'
import { mountAlertMetrics } from '../../src/server/alerts/alert-metrics.ts'
import { alertCharges, alertTerms } from '../../src/server/alerts/alert-terms.ts'
import { mountAlerts } from '../../src/server/alerts/mount-alerts.ts'
import { createStream } from '../../src/server/stream/stream-host.ts'
import { TimerQueue } from '../../src/stream/delivery/timer-queue.ts'
import type { Service } from './service.ts'
import { usualDeadline } from './usual-deadline.ts'

/** Adds alerts to a service in process; whoever calls it stops them. */
export function alertsOver(base: Service): { readonly alerts: Alerts; readonly registry: Registry } {
  const { app, http, access, live, answers, accounts, database, clock, quota, tickets } = base
  const registry = new Registry()
  const stream = createStream({
    endpoints: http.endpoints,
    answers,
    source: live,
    access,
    bundles: accounts.bundles,
    tickets,
    isReady: () => true,
    ...usualDeadline,
    registry,
    keyRefusals: http.keyRefusals,
    onRequest: () => {},
    onError: (error) => {
      throw error
    }
  })
  const rules = new AlertRules(database)
  const alerts = new Alerts({
    rules,
    firings: new Firings(database),
    webhooks: new Webhooks(database, clock.now),
    database,
    hub: stream.hub,
    catalog: stream.catalog,
    timers: new TimerQueue(clock.now, () => {}),
    wallNow: clock.now,
    marketNow: () => live.now(),
    quality: (symbol) => live.quality(symbol),
    source: () => 'scripted',
    isRestored: () => false,
    termsOf: (userId) => alertTerms(userId, { accounts, access, today: () => easternDate(live.now()) }),
    allowPrivate: true,
    post: (message, signal) => post(message, { allowPrivate: true, signal }),
    push: pushSender(database),
    random: () => 0.5,
    ...alertCharges(accounts, quota),
    onError: (error) => {
      throw error
    },
    ...mountAlertMetrics(registry, () => rules.counts())
  })
  mountAlerts(app, alerts, { authenticate: access.authenticate, counting: http })
  return { alerts, registry }
}
