import type { Instant } from '../../../market/units.ts'
import type { StreamBudget } from './stream-budget.ts'

/** Milliseconds without a trade after which a contract makes room for another one. */
const QUIET_AFTER = 120_000

/** Contracts whose quote subscriptions are to begin and to end. */
export interface QuoteChanges {
  readonly begin: readonly string[]
  readonly end: readonly string[]
}

/**
 * Decides which contracts have streamed quotes: those that trade, up to the vendor's maximum. Quotes of a contract are
 * therefore subscribed only after its first print. A contract that keeps trading keeps its subscription.
 */
export class QuoteSubscriptions {
  readonly #budget: StreamBudget
  readonly #most: number
  /**
   * Time of the last trade by contract. Objects are updated in place, because a map whose entries are moved is rebuilt
   * every few thousand prints.
   */
  readonly #traded = new Map<string, { last: Instant }>()
  #begin: string[] = []

  constructor(budget: StreamBudget) {
    this.#budget = budget
    this.#most = budget.limit.quotes ?? 0
  }

  /** Records that a contract traded. A new contract is ignored if there is no room. */
  traded(contract: string, now: Instant): void {
    const held = this.#traded.get(contract)
    if (held !== undefined) held.last = now
    else if (this.#traded.size < this.#most) {
      this.#traded.set(contract, { last: now })
      this.#begin.push(contract)
    }
  }

  changes(now: Instant): QuoteChanges {
    const begin = this.#begin
    this.#begin = []
    const end: string[] = []
    if (this.#traded.size >= this.#most) {
      for (const [contract, { last }] of this.#traded) {
        if (now - last < QUIET_AFTER) continue
        this.#traded.delete(contract)
        end.push(contract)
      }
    }
    this.#budget.subscribed(this.#traded.size)
    return { begin, end }
  }

  clear(): void {
    this.#traded.clear()
    this.#begin = []
  }
}
