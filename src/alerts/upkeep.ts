import type { Firings } from '../accounts/alerts/firings.ts'
import type { AlertRule } from '../accounts/alerts/rule.ts'
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
  /** Resolves when the check that is under way has ended. */
  #checking: Promise<void> | undefined

  constructor(options: UpkeepOptions) {
    this.#options = options
    this.#savedAt = options.timers.now()
  }

  /** Follows all armed alert rules and starts the timer. */
  start(): void {
    this.#tick()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#checking
    await this.#guarded(() => this.#save())
  }

  #tick(): void {
    if (this.#stopped) return
    this.#checking ??= this.#guarded(() => this.#check()).finally(() => {
      this.#checking = undefined
    })
    this.#options.timers.after(CHECK_EVERY, () => this.#tick())
  }

  async #check(): Promise<void> {
    const { timers, database } = this.#options
    const isLate = timers.now() - this.#savedAt >= SAVE_EVERY
    if (isLate) await this.#save()
    const revision = await database.revision()
    if (revision === this.#revision && !isLate) return
    this.#revision = revision
    await this.#align()
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#options.onError(error)
    }
  }

  /** Writes the newest values, which no evaluation depends on, and deletes old firings. */
  async #save(): Promise<void> {
    const { rules, firings, database, evaluator, timers, wallNow } = this.#options
    this.#savedAt = timers.now()
    await database.batch(async (tx) => {
      const followed = [...evaluator.listeners].map(({ rule }) => rule)
      for (const rule of followed.toSorted((a, b) => (a.id < b.id ? -1 : 1))) await rules.show(rule, tx)
      await firings.forgetBefore(wallNow() - KEEP_DAYS * MILLISECONDS_PER_DAY, tx)
    })
  }

  /**
   * Follows alert rules that are armed and allowed, drops all others, and pauses those that the owner's plan no longer
   * allows.
   */
  async #align(): Promise<void> {
    const { rules, database, termsOf, evaluator, admission } = this.#options
    const followed = [...evaluator.listeners]
    const stored = await rules.armed()
    if (this.#stopped) return
    const used = new Map<string, number>()
    const armed = new Set<string>()
    const lost: AlertRule[] = []
    for (const each of stored) {
      const rule = evaluator.newerOf(each)
      const count = (used.get(rule.userId) ?? 0) + 1
      const limit = termsOf(rule.userId)?.limit ?? 0
      const because = count > limit ? `the plan has room for ${limit} alerts` : admission.lostBy(rule)
      if (because !== undefined) {
        lost.push(paused(rule, because))
        continue
      }
      used.set(rule.userId, count)
      armed.add(rule.id)
      const listener = evaluator.find(rule.id)
      if (listener === undefined || listener.cadence !== admission.cadenceOf(rule)) {
        evaluator.follow(rule, admission.figuresOf(rule), admission.cadenceOf(rule))
      } else if (rule.version > listener.rule.version) evaluator.adopt(listener, rule)
    }
    // A rule that was made or changed since `followed` was read is followed by its newer version.
    for (const listener of followed) {
      const { id } = listener.rule
      if (!armed.has(id) && evaluator.find(id) === listener) evaluator.drop(id)
    }
    if (lost.length === 0) return
    await database.batch(async (tx) => {
      for (const rule of lost) await rules.progress(rule, tx)
    })
  }
}
