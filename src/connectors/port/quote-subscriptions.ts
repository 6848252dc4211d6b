import type { Instant } from '../../market/units.ts'
import type { StreamBudget } from './stream-budget.ts'

/** A contract that has not traded for so long makes room for another one, milliseconds. */
const IDLE_AFTER = 120_000

/** What to say to the stream: contracts whose quotes are wanted from now on, and no more. */
export interface QuoteChanges {
  readonly begin: readonly string[]
  readonly end: readonly string[]
}

/**
 * Which contracts' quotes to stream, of which the vendor gives so many at once: those that trade. The first print of a
 * contract therefore comes before its quotes; one that trades on keeps its place.
 */
export class QuoteSubscriptions {
  readonly #budget: StreamBudget
  readonly #most: number
  /** When each contract traded last, the one that did so longest ago first. */
  readonly #traded = new Map<string, Instant>()
  #begin: string[] = []

  constructor(budget: StreamBudget) {
    this.#budget = budget
    this.#most = budget.limit.quotes ?? 0
  }

  /** Notes that a contract traded. Where there is no room it is passed over. */
  traded(contract: string, now: Instant): void {
    const isHeld = this.#traded.delete(contract)
    if (!isHeld && this.#traded.size >= this.#most) return
    this.#traded.set(contract, now)
    if (!isHeld) this.#begin.push(contract)
  }

  /** What has changed since the last call. */
  changes(now: Instant): QuoteChanges {
    const begin = this.#begin
    this.#begin = []
    const end: string[] = []
    if (this.#traded.size >= this.#most) {
      for (const [contract, last] of this.#traded) {
        if (now - last < IDLE_AFTER) break
        this.#traded.delete(contract)
        end.push(contract)
      }
    }
    this.#budget.subscribed(this.#traded.size)
    return { begin, end }
  }

  /** Forgets everything: a new connection knows of none. */
  clear(): void {
    this.#traded.clear()
    this.#begin = []
  }
}
