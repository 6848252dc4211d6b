import type { Instant } from '../../../market/units.ts'
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
  /** When each contract traded last: written over, for a map whose entries move is made anew every few thousand prints. */
  readonly #traded = new Map<string, { last: Instant }>()
  #begin: string[] = []

  constructor(budget: StreamBudget) {
    this.#budget = budget
    this.#most = budget.limit.quotes ?? 0
  }

  /** Notes that a contract traded. Where there is no room it is passed over. */
  traded(contract: string, now: Instant): void {
    const held = this.#traded.get(contract)
    if (held !== undefined) held.last = now
    else if (this.#traded.size < this.#most) {
      this.#traded.set(contract, { last: now })
      this.#begin.push(contract)
    }
  }

  /** What has changed since the last call. */
  changes(now: Instant): QuoteChanges {
    const begin = this.#begin
    this.#begin = []
    const end: string[] = []
    if (this.#traded.size >= this.#most) {
      for (const [contract, { last }] of this.#traded) {
        if (now - last < IDLE_AFTER) continue
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
