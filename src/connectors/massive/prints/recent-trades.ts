import type { Trade } from './trade.ts'

/** Trades that are remembered at least: the busiest seconds of some hundred symbols. */
const REMEMBERED = 50_000

/** Recognises a trade that the stream sends a second time. */
export class RecentTrades {
  #recent = new Set<string>()
  #older = new Set<string>()

  /** Notes a trade; false where the very same was noted lately. One without a number cannot be recognised. */
  isNew({ contract, sequence, time, price, size, exchange }: Trade): boolean {
    if (sequence === undefined) return true
    const name = `${contract} ${sequence} ${time} ${price} ${size} ${exchange}`
    if (this.#recent.has(name) || this.#older.has(name)) return false
    if (this.#recent.size === REMEMBERED) {
      this.#older = this.#recent
      this.#recent = new Set()
    }
    this.#recent.add(name)
    return true
  }
}
