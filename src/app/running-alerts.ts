import type { FastifyInstance } from 'fastify'
import { Firings } from '../accounts/alerts/firings.ts'
import { AlertRules } from '../accounts/alerts/rules.ts'
import { Webhooks } from '../accounts/alerts/webhooks.ts'
import { Alerts } from '../alerts/alerts.ts'
import { pushSender } from '../alerts/push/push-sender.ts'
import { post } from '../alerts/webhook/post.ts'
import type { Config } from '../config/config.ts'
import { sourceText } from '../connectors/port/source-provenance.ts'
import { steadyNow } from '../facts/steady-clock.ts'
import { easternDate } from '../market/eastern.ts'
import { mountAlertMetrics } from '../server/alerts/alert-metrics.ts'
import { alertCharges, alertTerms } from '../server/alerts/alert-terms.ts'
import { mountAlerts } from '../server/alerts/mount-alerts.ts'
import type { AuthorizeOptions } from '../server/http/authorize.ts'
import type { StreamHost } from '../server/stream/stream-host.ts'
import { StreamTimer } from '../server/stream/stream-timer.ts'
import { TimerQueue } from '../stream/delivery/timer-queue.ts'
import type { Foundations } from './foundations.ts'
import type { RunningMarket } from './running-market.ts'

export interface RunningAlerts {
  start(): void
  stop(): Promise<void>
}

export function createAlerts(
  rest: FastifyInstance,
  { privateWebhooks, allowedHosts }: Pick<Config, 'privateWebhooks' | 'allowedHosts'>,
  { database, accounts, log, metrics }: Foundations,
  { connector, live }: RunningMarket,
  { counting, stream }: { readonly counting: AuthorizeOptions; readonly stream: StreamHost }
): RunningAlerts {
  const { access, quota } = counting
  const timer = new StreamTimer(() => timers.run())
  const timers = new TimerQueue(steadyNow, (at) => timer.arm(at))
  const rules = new AlertRules(database)
  const today = () => easternDate(live.now())
  const source = sourceText(connector)
  const alerts = new Alerts({
    rules,
    firings: new Firings(database),
    webhooks: new Webhooks(database, Date.now),
    database,
    hub: stream.hub,
    catalog: stream.catalog,
    timers,
    wallNow: Date.now,
    marketNow: () => live.now(),
    quality: (symbol) => live.quality(symbol),
    source: () => source,
    isRestored: (symbol, asOf) => live.isRestored(symbol, asOf),
    termsOf: (userId) => alertTerms(userId, { accounts, access, today }),
    ...alertCharges(accounts, quota),
    allowPrivate: privateWebhooks,
    post: (message, signal) => post(message, { allowPrivate: privateWebhooks, signal }),
    push: pushSender(database, allowedHosts[0] && `https://${allowedHosts[0]}`),
    random: Math.random,
    onError: (error) => log.error({ err: error }, 'alerts could not be looked at, written or sent; it is tried again'),
    ...mountAlertMetrics(metrics.registry, () => rules.counts())
  })
  mountAlerts(rest, alerts, { authenticate: access.authenticate, counting })
  return {
    start: () => alerts.start(),
    async stop() {
      await alerts.stop()
      timer.stop()
    }
  }
}
