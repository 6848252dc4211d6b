import type { Trade } from './trade.ts'

/** Trades that are remembered at least: the busiest seconds of some hundred symbols. */
const REMEMBERED = 50_000

/** Recognises a trade that the stream sends a second time. */
export class RecentTrades {
  #recent = new Map<string, Trade>()
  #older = new Map<string, Trade>()

  /** Notes a trade; false where the very same was noted lately. One without a number cannot be recognised. */
  isNew(trade: Trade): boolean {
    const { contract, sequence } = trade
    if (sequence === undefined) return true
    const name = `${sequence}${contract}`
    if (isSame(trade, this.#recent.get(name) ?? this.#older.get(name))) return false
    if (this.#recent.size === REMEMBERED) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(name, trade)
    return true
  }
}

/** A number that were given twice after all tells nothing: the figures have to agree. */
function isSame({ time, price, size, exchange }: Trade, known: Trade | undefined): boolean {
  return known?.time === time && known.price === price && known.size === size && known.exchange === exchange
}
