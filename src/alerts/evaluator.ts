import { randomUUID } from 'node:crypto'
import type { Firing, Firings } from '../accounts/alerts/firings.ts'
import type { AlertRule } from '../accounts/alerts/rule.ts'
import type { AlertRules } from '../accounts/alerts/rules.ts'
import type { Database } from '../accounts/database.ts'
import type { MarketData } from '../api/market-source.ts'
import { type Instant, MILLISECONDS_PER_HOUR, type Ticker } from '../market/units.ts'
import { distrustAt } from '../quality/chain-assessment.ts'
import type { Hub } from '../stream/delivery/hub.ts'
import type { TimerQueue } from '../stream/delivery/timer-queue.ts'
import { evaluateRule } from './evaluate.ts'
import { type RuleFigures, RuleListener } from './rule-listener.ts'
import { firedMessage } from './webhook/alert-message.ts'

export interface EvaluatorOptions {
  readonly hub: Hub
  readonly rules: AlertRules
  readonly firings: Firings
  readonly database: Pick<Database, 'durably' | 'transaction'>
  readonly timers: TimerQueue
  readonly wallNow: () => Instant
  readonly source: () => string
  /** Whether the data of a symbol at a moment was recorded before the start, so that it is no news. */
  readonly isRestored: (symbol: Ticker, asOf: Instant) => boolean
  /** Why the owner may no longer have this rule; undefined if they may. */
  readonly refusalOf: (rule: AlertRule) => string | undefined
  /** Counts a firing as a request of the owner; false if the plan has none left today. */
  readonly charge: (userId: string) => boolean
  readonly refund: (userId: string) => void
  /** Quality of a symbol's loaded chain; undefined if none is loaded. */
  readonly quality: MarketData['quality']
  /** Market time, by which the age of a chain is measured. */
  readonly marketNow: () => Instant
  readonly onFired: (firing: Firing) => void
  readonly onError: (error: unknown) => void
}

/** Firings per hour after which a rule is paused, since nobody reads so many messages. */
export const MAX_FIRINGS_PER_HOUR = 60
/** Milliseconds until a failed database write is repeated. */
const WRITE_AGAIN_AFTER = 5000

interface Decision {
  readonly listener: RuleListener
  readonly rule: AlertRule
  readonly firing: Firing | undefined
  /** Whether the next evaluation of the rule would differ if this result were lost. */
  readonly decides: boolean
}

/**
 * Evaluates armed rules whenever one of their values is renewed. Firings and the state for the next evaluation are
 * written before anything else happens. If the write fails, the evaluation is repeated as if it had not happened.
 */
export class Evaluator {
  readonly #options: EvaluatorOptions
  readonly #listeners = new Map<string, RuleListener>()
  readonly #changed = new Set<RuleListener>()
  #isScheduled = false
  #stopped = false

  constructor(options: EvaluatorOptions) {
    this.#options = options
  }

  get listeners(): Iterable<RuleListener> {
    return this.#listeners.values()
  }

  find(id: string): RuleListener | undefined {
    return this.#listeners.get(id)
  }

  /** Starts to follow an armed rule, or replaces a followed rule by its new version. */
  follow(rule: AlertRule, figures: RuleFigures, cadence: number): void {
    const before = this.#listeners.get(rule.id)
    const listener = new RuleListener(rule, figures, {
      hub: this.#options.hub,
      cadence,
      onChange: (each) => this.#note(each)
    })
    this.#listeners.set(rule.id, listener)
    before?.end()
    this.#note(listener)
  }

  drop(id: string): void {
    const listener = this.#listeners.get(id)
    this.#listeners.delete(id)
    listener?.end()
  }

  stop(): void {
    this.#stopped = true
    for (const id of [...this.#listeners.keys()]) this.drop(id)
  }

  /** Queues an alert rule for evaluation. Rules whose values change together are evaluated and written together. */
  #note(listener: RuleListener): void {
    this.#changed.add(listener)
    if (this.#isScheduled) return
    this.#isScheduled = true
    queueMicrotask(() => {
      this.#isScheduled = false
      this.#evaluateChanged()
    })
  }

  #evaluateChanged(): void {
    const { database, timers, refund, onError, onFired } = this.#options
    const listeners = [...this.#changed].filter((listener) => this.#listeners.get(listener.rule.id) === listener)
    this.#changed.clear()
    if (this.#stopped || listeners.length === 0) return
    const decisions: Decision[] = []
    try {
      for (const listener of listeners) decisions.push(...this.#evaluate(listener))
      const deciding = decisions.filter(({ decides }) => decides)
      const write = deciding.some(({ firing }) => firing !== undefined) ? database.durably : database.transaction
      const written = deciding.length === 0 ? new Set() : write(() => this.#write(deciding))
      for (const { listener, rule, firing, decides } of decisions) {
        if (decides && !written.has(listener)) {
          this.drop(rule.id)
          continue
        }
        listener.rule = rule
        if (rule.state !== 'armed') this.drop(rule.id)
        if (firing !== undefined) onFired(firing)
      }
    } catch (error) {
      onError(error)
      for (const { firing } of decisions) if (firing !== undefined) refund(firing.userId)
      timers.after(WRITE_AGAIN_AFTER, () => {
        for (const listener of listeners) this.#note(listener)
      })
    }
  }

  /** Writes the results that matter for later evaluations; returns the listeners whose rules still exist. */
  #write(deciding: readonly Decision[]): ReadonlySet<RuleListener> {
    const { rules, firings } = this.#options
    const written = new Set<RuleListener>()
    for (const { listener, rule, firing } of deciding) {
      if (!(rule.state === 'paused' ? rules.update(rule) : rules.progress(rule))) continue
      if (firing !== undefined) firings.add(firing)
      written.add(listener)
    }
    return written
  }

  /**
   * Whether the data behind a rule's value reach the quality floor. Below it the rule neither fires nor learns anything,
   * as if it had no value. While the quality is being computed, the evaluation waits for it; if it cannot be computed,
   * until the next value.
   */
  #isTrusted(listener: RuleListener): boolean {
    const { quality, marketNow } = this.#options
    const assessment = quality(listener.rule.symbol as Ticker)
    if (!(assessment instanceof Promise)) {
      return assessment === undefined || distrustAt(assessment, marketNow()) === undefined
    }
    assessment.then(
      (found) => {
        if (found !== undefined) this.#note(listener)
      },
      () => {}
    )
    return false
  }

  #evaluate(listener: RuleListener): readonly Decision[] {
    const { timers, wallNow, refusalOf, charge, firings, source, isRestored } = this.#options
    const now = wallNow()
    const { rule, asOf } = listener
    const values = listener.values()
    const { value, target } = values
    if (value === undefined || target === undefined || !listener.isPaired(timers.now())) return []
    if (!listener.isNews(isRestored)) return []
    if (!this.#isTrusted(listener)) return []
    const { fires, memory } = evaluateRule(rule, values)
    const seen: AlertRule = { ...rule, memory, lastValue: value, lastValueAt: asOf ?? now }
    const { side, reference } = rule.memory
    const decides = fires || memory.side !== side || memory.reference !== reference
    if (!fires) return [{ listener, rule: seen, firing: undefined, decides }]
    const because = refusalOf(rule)
    if (because !== undefined) return [{ listener, rule: paused(rule, because), firing: undefined, decides: true }]
    // It fires when the count of the owner begins anew, if it is still true then.
    if (!charge(rule.userId)) return []
    const id = randomUUID()
    const figures = { value, previous: rule.lastValue, target, at: now, asOf, source: source() }
    const firing: Firing = {
      id,
      alertId: rule.id,
      userId: rule.userId,
      at: now,
      body: JSON.stringify(firedMessage(id, rule, figures)),
      webhookId: rule.webhookId,
      delivery: rule.webhookId === undefined ? 'none' : 'waiting',
      attempts: 0,
      attemptedAt: undefined,
      nextAttemptAt: rule.webhookId === undefined ? undefined : now,
      failure: undefined
    }
    const fired: AlertRule = { ...seen, lastFiredAt: now, firedCount: rule.firedCount + 1 }
    const isOften = firings.countSince(rule.id, now - MILLISECONDS_PER_HOUR) + 1 >= MAX_FIRINGS_PER_HOUR
    const next: AlertRule =
      rule.repeat === 'once'
        ? { ...fired, state: 'done' }
        : isOften
          ? paused(fired, `it fired ${MAX_FIRINGS_PER_HOUR} times within an hour`)
          : fired
    return [{ listener, rule: next, firing, decides: true }]
  }
}

/** Copy of a rule in paused state, with the service's reason. */
export function paused(rule: AlertRule, because: string): AlertRule {
  return { ...rule, state: 'paused', pausedBecause: because }
}
