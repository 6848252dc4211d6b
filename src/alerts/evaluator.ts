import { randomUUID } from 'node:crypto'
import type { Firing, Firings } from '../accounts/alerts/firings.ts'
import type { AlertRule } from '../accounts/alerts/rule.ts'
import type { AlertRules } from '../accounts/alerts/rules.ts'
import type { Database } from '../accounts/database.ts'
import { type Instant, MILLISECONDS_PER_HOUR } from '../market/units.ts'
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
  /** Where the data comes from. */
  readonly source: () => string
  /** Why the owner of a rule may not have it any more; undefined where they may. */
  readonly refusalOf: (rule: AlertRule) => string | undefined
  /** A firing was written. */
  readonly onFired: (firing: Firing) => void
  readonly onError: (error: unknown) => void
}

/** How often a rule may fire within an hour: one that reaches it is paused, since nobody reads so many. */
export const MAX_FIRINGS_PER_HOUR = 60
/** When to try again to write what could not be written, milliseconds. */
const WRITE_AGAIN_AFTER = 5000

/** A rule as a look leaves it. */
interface Looked {
  readonly watch: RuleListener
  readonly rule: AlertRule
  readonly firing: Firing | undefined
  /** Whether the next look would decide otherwise were this one forgotten. */
  readonly decides: boolean
}

/**
 * Looks at the armed rules whenever a value of theirs is renewed. A firing, and whatever the next look depends on, is
 * written before anything else happens; where it cannot be, the look counts for nothing and is made again.
 */
export class Evaluator {
  readonly #options: EvaluatorOptions
  readonly #watches = new Map<string, RuleListener>()
  readonly #changed = new Set<RuleListener>()
  #isScheduled = false
  #stopped = false

  constructor(options: EvaluatorOptions) {
    this.#options = options
  }

  get watches(): Iterable<RuleListener> {
    return this.#watches.values()
  }

  find(id: string): RuleListener | undefined {
    return this.#watches.get(id)
  }

  /** Follows an armed rule from now on, in the place of what it was before. */
  follow(rule: AlertRule, figures: RuleFigures, cadence: number): void {
    const before = this.#watches.get(rule.id)
    const watch = new RuleListener(rule, figures, {
      hub: this.#options.hub,
      cadence,
      onChange: (each) => this.#note(each)
    })
    this.#watches.set(rule.id, watch)
    before?.end()
    this.#note(watch)
  }

  drop(id: string): void {
    const watch = this.#watches.get(id)
    this.#watches.delete(id)
    watch?.end()
  }

  stop(): void {
    this.#stopped = true
    for (const id of [...this.#watches.keys()]) this.drop(id)
  }

  /** All rules whose values came at one moment are looked at together, and written together. */
  #note(watch: RuleListener): void {
    this.#changed.add(watch)
    if (this.#isScheduled) return
    this.#isScheduled = true
    queueMicrotask(() => {
      this.#isScheduled = false
      this.#lookAtChanged()
    })
  }

  #lookAtChanged(): void {
    const { database, timers, wallNow, onError, onFired } = this.#options
    const watches = [...this.#changed].filter((watch) => this.#watches.get(watch.rule.id) === watch)
    this.#changed.clear()
    if (this.#stopped || watches.length === 0) return
    try {
      const looked = watches.flatMap((watch) => this.#look(watch))
      const deciding = looked.filter(({ decides }) => decides)
      const write = deciding.some(({ firing }) => firing !== undefined) ? database.durably : database.transaction
      const written = deciding.length === 0 ? new Set() : write(() => this.#write(deciding))
      for (const { watch, rule, firing, decides } of looked) {
        if (decides && !written.has(watch)) {
          this.drop(rule.id) // it was removed or paused elsewhere meanwhile
          continue
        }
        watch.rule = rule
        if (rule.state !== 'armed') this.drop(rule.id)
        if (firing !== undefined) onFired(firing)
      }
    } catch (error) {
      onError(error)
      timers.schedule(wallNow() + WRITE_AGAIN_AFTER, () => {
        for (const watch of watches) this.#note(watch)
      })
    }
  }

  /** Writes what was decided, and returns whose rules were there to be written. */
  #write(deciding: readonly Looked[]): ReadonlySet<RuleListener> {
    const { rules, firings } = this.#options
    const written = new Set<RuleListener>()
    for (const { watch, rule, firing } of deciding) {
      if (!(rule.state === 'paused' ? rules.update(rule) : rules.progress(rule))) continue
      if (firing !== undefined) firings.add(firing)
      written.add(watch)
    }
    return written
  }

  #look(watch: RuleListener): readonly Looked[] {
    const { wallNow, refusalOf, firings, source } = this.#options
    const now = wallNow()
    const { rule, asOf } = watch
    const look = watch.look()
    const { value, target } = look
    if (value === undefined || target === undefined || !watch.isPaired(now)) return []
    const { fires, memory } = evaluateRule(rule, look)
    const seen: AlertRule = { ...rule, memory, lastValue: value, lastValueAt: asOf ?? now }
    const { side, reference } = rule.memory
    const decides = fires || memory.side !== side || memory.reference !== reference
    if (!fires) return [{ watch, rule: seen, firing: undefined, decides }]
    const because = refusalOf(rule)
    if (because !== undefined) return [{ watch, rule: paused(rule, because), firing: undefined, decides: true }]
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
    return [{ watch, rule: next, firing, decides: true }]
  }
}

/** A rule that the service pauses, and why. */
export function paused(rule: AlertRule, because: string): AlertRule {
  return { ...rule, state: 'paused', pausedBecause: because }
}
