import type { Firings } from '../../src/accounts/alerts/firings.ts'
import type { AlertRule } from '../../src/accounts/alerts/rule.ts'
import type { AlertRules } from '../../src/accounts/alerts/rules.ts'
import { Webhooks } from '../../src/accounts/alerts/webhooks.ts'
import type { Database } from '../../src/accounts/database.ts'
import { Evaluator } from '../../src/alerts/evaluator.ts'
import { TimerQueue } from '../../src/stream/delivery/timer-queue.ts'

export interface EvaluationOptions {
  readonly rules: AlertRules
  readonly firings: Firings
  readonly database: Database
  readonly looks: number
}

/** Market time of the first value; each look is a second later. */
const BEGIN = Date.parse('2026-07-29T14:30:00Z')

/** A metric whose value the trial sets. */
interface Shown {
  readonly feed: { asOf: number; publishedAt: number; readonly query: { readonly symbol: string } }
  value: string
}

/**
 * Evaluates all armed rules on a value that crosses 0 at every look, with the evaluator of the service. Other members do
 * the same at once. Returns how often a rule fired here.
 */
export async function evaluateOnce({ rules, firings, database, looks }: EvaluationOptions): Promise<number> {
  const metrics: { readonly shown: Shown; readonly changed: () => void }[] = []
  let fired = 0
  const hub = {
    listen(_resolved: unknown, _query: unknown, _cadence: number, listener: { valueChanged(): void }) {
      const feed = { asOf: 0, publishedAt: 0, query: { symbol: 'SPY' } }
      const shown: Shown = { feed, value: '-1' }
      metrics.push({ shown, changed: () => listener.valueChanged() })
      return shown
    },
    removeListener() {}
  }
  const timers = new TimerQueue(
    () => performance.now(),
    (at) => void setTimeout(() => timers.run(), Math.max(1, at - performance.now()))
  )
  const figures = { figure: { resolved: {}, query: {} }, other: undefined } as never
  const evaluator: Evaluator = new Evaluator({
    hub: hub as never,
    rules,
    firings,
    webhooks: new Webhooks(database, Date.now),
    database,
    timers,
    wallNow: Date.now,
    marketNow: Date.now,
    source: () => 'trial',
    isRestored: () => false,
    refusalOf: () => undefined,
    charge: () => true,
    refund: () => {},
    quality: () => undefined,
    follow: (rule: AlertRule) => evaluator.follow(rule, figures, 1000),
    onFired: () => {
      fired++
    },
    onError: (error) => console.error(error)
  })
  for (const rule of await rules.armed()) evaluator.follow(rule, figures, 1000)
  for (let look = 1; look <= looks; look++) {
    for (const { shown, changed } of metrics) {
      shown.feed.asOf = BEGIN + look * 1000
      shown.value = look % 2 === 1 ? '-1' : '1'
      changed()
    }
    await evaluator.settled()
  }
  await evaluator.stop()
  return fired
}
