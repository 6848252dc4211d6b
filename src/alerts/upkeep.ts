import type { Firings } from '../accounts/alerts/firings.ts'
import type { AlertRules } from '../accounts/alerts/rules.ts'
import type { Database } from '../accounts/database.ts'
import { type Instant, MILLISECONDS_PER_DAY } from '../market/units.ts'
import type { TimerQueue } from '../stream/delivery/timer-queue.ts'
import type { Admission, AdmissionOptions } from './admission.ts'
import { type Evaluator, paused } from './evaluator.ts'

export interface UpkeepOptions {
  readonly rules: AlertRules
  readonly firings: Firings
  readonly database: Database
  readonly timers: TimerQueue
  readonly wallNow: () => Instant
  readonly termsOf: AdmissionOptions['termsOf']
  readonly evaluator: Evaluator
  readonly admission: Admission
  readonly onError: (error: unknown) => void
}

/** Milliseconds between two checks for changed alert rules, and between two writes of their current values. */
const CHECK_EVERY = 5000
const SAVE_EVERY = 60_000
const KEEP_DAYS = 30

/** Periodic work on alert rules that does not depend on market data. */
export class Upkeep {
  readonly #options: UpkeepOptions
  /** Revision of the accounts whose rules are followed. */
  #revision = -1
  /** When values were written last, milliseconds of the steady clock. */
  #savedAt: number
  #stopped = false

  constructor(options: UpkeepOptions) {
    this.#options = options
    this.#savedAt = options.timers.now()
  }

  /** Follows all armed alert rules and starts the timer. */
  start(): void {
    this.#tick()
  }

  stop(): void {
    this.#stopped = true
    this.#guarded(() => this.#save())
  }

  #tick(): void {
    const { timers, database } = this.#options
    if (this.#stopped) return
    this.#guarded(() => {
      const isLate = timers.now() - this.#savedAt >= SAVE_EVERY
      if (isLate) this.#save()
      const revision = database.revision()
      if (revision === this.#revision && !isLate) return
      this.#revision = revision
      this.#align()
    })
    timers.after(CHECK_EVERY, () => this.#tick())
  }

  #guarded(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#options.onError(error)
    }
  }

  /** Writes the newest values, which no evaluation depends on, and deletes old firings. */
  #save(): void {
    const { rules, firings, database, evaluator, timers, wallNow } = this.#options
    this.#savedAt = timers.now()
    database.transaction(() => {
      for (const { rule } of evaluator.listeners) rules.progress(rule)
      firings.forgetBefore(wallNow() - KEEP_DAYS * MILLISECONDS_PER_DAY)
    })
  }

  /**
   * Follows alert rules that are armed and allowed, drops all others, and pauses those that the owner's plan no longer
   * allows.
   */
  #align(): void {
    const { rules, termsOf, evaluator, admission } = this.#options
    const used = new Map<string, number>()
    const armed = new Set<string>()
    for (const stored of rules.armed()) {
      const rule = evaluator.find(stored.id)?.rule ?? stored
      const count = (used.get(rule.userId) ?? 0) + 1
      const limit = termsOf(rule.userId)?.limit ?? 0
      const because = count > limit ? `the plan has room for ${limit} alerts` : admission.lostBy(rule)
      if (because !== undefined) {
        rules.update(paused(rule, because))
        continue
      }
      used.set(rule.userId, count)
      armed.add(rule.id)
      const listener = evaluator.find(rule.id)
      if (listener === undefined || listener.cadence !== admission.cadenceOf(rule)) {
        evaluator.follow(rule, admission.figuresOf(rule), admission.cadenceOf(rule))
      }
    }
    for (const { rule } of [...evaluator.listeners]) if (!armed.has(rule.id)) evaluator.drop(rule.id)
  }
}
