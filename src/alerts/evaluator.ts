import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Firing, Firings } from '../accounts/alerts/firings.ts'
import type { AlertRule } from '../accounts/alerts/rule.ts'
import type { AlertRules } from '../accounts/alerts/rules.ts'
import type { Webhooks } from '../accounts/alerts/webhooks.ts'
import type { Changes, Database } from '../accounts/database.ts'
import type { MarketData } from '../api/market-source.ts'
import { andThen, type MaybePromise } from '../api/maybe-promise.ts'
import { type Instant, MILLISECONDS_PER_HOUR, type Ticker } from '../market/units.ts'
import { distrustAt } from '../quality/chain-assessment.ts'
import type { Hub } from '../stream/delivery/hub.ts'
import type { TimerQueue } from '../stream/delivery/timer-queue.ts'
import { evaluateRule } from './evaluate.ts'
import { copyFor } from './push/push-message.ts'
import { type RuleFigures, RuleListener } from './rule-listener.ts'
import { firedMessage } from './webhook/alert-message.ts'

export interface EvaluatorOptions {
  readonly hub: Hub
  readonly rules: AlertRules
  readonly firings: Firings
  readonly webhooks: Pick<Webhooks, 'browsersOf'>
  readonly database: Pick<Database, 'durably' | 'batch' | 'sharing'>
  readonly timers: TimerQueue
  readonly wallNow: () => Instant
  readonly source: () => string
  /** Whether the data of a symbol at a moment was recorded before the start, so that it is no news. */
  readonly isRestored: (symbol: Ticker, asOf: Instant) => boolean
  /** Why the owner may no longer have this rule; undefined if they may. */
  readonly refusalOf: (rule: AlertRule) => string | undefined
  /** Counts a firing as a request of the owner; false if the plan has none left today. */
  readonly charge: (userId: string) => MaybePromise<boolean>
  readonly refund: (userId: string) => void
  /** Quality of a symbol's loaded chain; undefined if none is loaded. */
  readonly quality: MarketData['quality']
  /** Market time, by which the age of a chain is measured. */
  readonly marketNow: () => Instant
  /** Follows an armed rule that another service changed, in place of the version that is followed. */
  readonly follow: (rule: AlertRule) => void
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

const nothingWritten: ReadonlyMap<RuleListener, AlertRule> = new Map()

/**
 * Evaluates armed rules whenever one of their values is renewed. Firings and the state for the next evaluation are
 * written before anything else happens. If the write fails, the evaluation is repeated as if it had not happened.
 */
export class Evaluator {
  readonly #options: EvaluatorOptions
  readonly #listeners = new Map<string, RuleListener>()
  readonly #changed = new Set<RuleListener>()
  /** Ids of the rules that their owners are changing. */
  readonly #held = new Set<string>()
  /** Resolves when everything that had changed is evaluated and written; undefined if nothing is under way. */
  #evaluating: Promise<void> | undefined
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
    this.#keepOrder(listener)
    before?.end()
    this.#note(listener)
  }

  /** Has a rule evaluated on no older data than another service, which may be ahead, evaluated it on. */
  #keepOrder(listener: RuleListener): void {
    if (this.#options.database.sharing !== undefined) listener.notBefore = listener.rule.lastValueAt
  }

  drop(id: string): void {
    const listener = this.#listeners.get(id)
    this.#listeners.delete(id)
    listener?.end()
  }

  /** Resolves when what has changed so far is evaluated and written. */
  async settled(): Promise<void> {
    while (this.#evaluating !== undefined) await this.#evaluating
  }

  /** Ends all evaluation, once what is being written is written. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.settled()
    for (const id of [...this.#listeners.keys()]) this.drop(id)
  }

  /**
   * Runs a change of a rule by its owner. Meanwhile no evaluation of the rule is written, since it would be one of the
   * rule as it was before; it is evaluated again afterwards.
   */
  async whileHeld<Result>(id: string, change: () => Promise<Result>): Promise<Result> {
    this.#held.add(id)
    try {
      return await change()
    } finally {
      this.#held.delete(id)
      const listener = this.#listeners.get(id)
      if (listener !== undefined) this.#note(listener)
    }
  }

  /** Queues an alert rule for evaluation. Rules whose values change together are evaluated and written together. */
  #note(listener: RuleListener): void {
    this.#changed.add(listener)
    this.#evaluating ??= this.#evaluateAll()
  }

  async #evaluateAll(): Promise<void> {
    await Promise.resolve() // lets values that change together be noted
    while (!this.#stopped && this.#changed.size > 0) await this.#evaluateChanged()
    this.#evaluating = undefined
  }

  async #evaluateChanged(): Promise<void> {
    const { database, refund, onError, onFired } = this.#options
    const listeners = [...this.#changed].filter((listener) => this.#isCurrent(listener))
    this.#changed.clear()
    if (listeners.length === 0) return
    const decisions: Decision[] = []
    const lost: RuleListener[] = []
    try {
      for (const listener of listeners) decisions.push(...(await this.#evaluate(listener)))
      const deciding = decisions.filter(({ decides }) => decides)
      const write = deciding.some(({ firing }) => firing !== undefined) ? database.durably : database.batch
      const written = deciding.length === 0 ? nothingWritten : await write((tx) => this.#write(deciding, tx))
      for (const { listener, rule, firing, decides } of decisions) {
        const next = decides ? written.get(listener) : rule
        if (next === undefined) {
          if (firing !== undefined) refund(firing.userId)
          if (this.#isCurrent(listener)) lost.push(listener)
          continue
        }
        listener.rule = next
        if (next.state !== 'armed' && this.#listeners.get(rule.id) === listener) this.drop(rule.id)
        if (firing !== undefined) onFired(firing)
      }
    } catch (error) {
      onError(error)
      for (const { firing } of decisions) if (firing !== undefined) refund(firing.userId)
      this.#noteLater(listeners)
    }
    if (lost.length > 0) await this.#readAgain(lost)
  }

  #noteLater(listeners: readonly RuleListener[]): void {
    this.#options.timers.after(WRITE_AGAIN_AFTER, () => {
      for (const listener of listeners) this.#note(listener)
    })
  }

  /**
   * Reads rules again whose evaluations were not written, because another service evaluated them first, or their owners
   * changed or ended them.
   */
  async #readAgain(listeners: readonly RuleListener[]): Promise<void> {
    const { rules, onError } = this.#options
    try {
      const stored = await rules.withIds(listeners.map(({ rule }) => rule.id))
      const byId = new Map(stored.map((rule) => [rule.id, rule]))
      for (const listener of listeners) {
        if (!this.#isCurrent(listener)) continue
        const rule = byId.get(listener.rule.id)
        if (rule?.state === 'armed') this.adopt(listener, rule)
        else this.drop(listener.rule.id)
      }
    } catch (error) {
      onError(error)
      this.#noteLater(listeners)
    }
  }

  /** Goes on with a rule as another service stored it. */
  adopt(listener: RuleListener, rule: AlertRule): void {
    if (!isSameQuestion(listener.rule, rule)) this.#options.follow(rule)
    else {
      listener.rule = rule
      this.#keepOrder(listener)
      this.#note(listener)
    }
  }

  /** The newer version of a stored rule: it, or the one that is followed, whose values are those of now. */
  newerOf(stored: AlertRule): AlertRule {
    const followed = this.#listeners.get(stored.id)?.rule
    return followed !== undefined && followed.version >= stored.version ? followed : stored
  }

  /** Whether a listener is that of its rule, and the rule is not being changed. */
  #isCurrent(listener: RuleListener): boolean {
    const { id } = listener.rule
    return this.#listeners.get(id) === listener && !this.#held.has(id)
  }

  /** Writes the results that matter for later evaluations; returns the rules that still exist as they are now. */
  async #write(deciding: readonly Decision[], tx: Changes): Promise<ReadonlyMap<RuleListener, AlertRule>> {
    const { rules } = this.#options
    const written = new Map<RuleListener, AlertRule>()
    // Every service locks rules in one order, so that none waits in a circle.
    for (const { listener, rule, firing } of deciding.toSorted((a, b) => (a.rule.id < b.rule.id ? -1 : 1))) {
      if (!this.#isCurrent(listener)) continue
      const next = firing === undefined ? rule : await this.#afterFiring(rule, firing, tx)
      const stored = await rules.progress(next, tx)
      if (stored === undefined) continue
      if (firing !== undefined) await this.#add(firing, tx)
      written.set(listener, stored)
    }
    return written
  }

  /** Queues a firing, and its copy for each browser of its owner. */
  async #add(firing: Firing, tx: Changes): Promise<void> {
    const { firings, webhooks } = this.#options
    await firings.add(firing, tx)
    for (const { id } of await webhooks.browsersOf(firing.userId, tx)) await firings.add(copyFor(id, firing), tx)
  }

  /** A rule that has just fired, as it goes on. */
  async #afterFiring(rule: AlertRule, { at }: Firing, tx: Changes): Promise<AlertRule> {
    if (rule.repeat === 'once') return { ...rule, state: 'done' }
    const before = await this.#options.firings.countSince(rule.id, at - MILLISECONDS_PER_HOUR, tx)
    const isOften = before + 1 >= MAX_FIRINGS_PER_HOUR
    return isOften ? paused(rule, `it fired ${MAX_FIRINGS_PER_HOUR} times within an hour`) : rule
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

  #evaluate(listener: RuleListener): MaybePromise<readonly Decision[]> {
    const { timers, wallNow, refusalOf, charge, source, isRestored } = this.#options
    const now = wallNow()
    const { rule, asOf } = listener
    const values = listener.values()
    const { value, target } = values
    if (value === undefined || target === undefined || !listener.isPaired(timers.now())) return []
    if (!listener.isNews(isRestored)) return []
    if (isOfThePast(listener) || !this.#isTrusted(listener)) return []
    const { fires, memory } = evaluateRule(rule, values)
    const seen: AlertRule = { ...rule, memory, lastValue: value, lastValueAt: asOf ?? now }
    const { side, reference } = rule.memory
    const decides = fires || memory.side !== side || memory.reference !== reference
    if (!fires) return [{ listener, rule: seen, firing: undefined, decides }]
    const because = refusalOf(rule)
    if (because !== undefined) return [{ listener, rule: paused(rule, because), firing: undefined, decides: true }]
    // It fires when the count of the owner begins anew, if it is still true then.
    return andThen(charge(rule.userId), (isCharged) => {
      if (!isCharged) return []
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
      return [{ listener, rule: fired, firing, decides: true }]
    })
  }
}

/** Milliseconds by which the data of one service lag behind those of another at most; more is another market time. */
const MAX_LAG = MILLISECONDS_PER_HOUR

/** Whether another service evaluated the rule on newer data than these: what they show was seen already. */
function isOfThePast({ notBefore, asOf }: RuleListener): boolean {
  return notBefore !== undefined && asOf !== undefined && asOf < notBefore && asOf > notBefore - MAX_LAG
}

/** Whether two versions of a rule watch the same metrics and ask the same about them. */
function isSameQuestion(a: AlertRule, b: AlertRule): boolean {
  return (['symbol', 'metric', 'params', 'condition', 'value'] as const).every((part) =>
    isDeepStrictEqual(a[part], b[part])
  )
}

/** Copy of a rule in paused state, with the service's reason. */
export function paused(rule: AlertRule, because: string): AlertRule {
  return { ...rule, state: 'paused', pausedBecause: because }
}
