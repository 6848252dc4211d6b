import { hashOf } from '../../../math/hash.ts'

/** What tells trades apart. A number that were given twice after all tells nothing: the figures have to agree. */
export interface NumberedTrade {
  readonly contract: string
  /** Undefined: its vendor gave it none, and it is new. */
  readonly sequence: number | undefined
  readonly time: number
  readonly price: number
  readonly size: number
  readonly exchange: number
}

/**
 * The trades that a stream told lately, at least so many and at most twice as many: what it tells again after a reconnect is
 * known by them. They are kept as columns: as objects they outlive the young ones of their thread by a second, and at 100,000
 * a second it collected garbage for a tenth of its time.
 */
export class RecentTrades {
  readonly #least: number
  #recent: TradeTable
  #older: TradeTable

  constructor(least: number) {
    this.#least = least
    this.#recent = new TradeTable(least)
    this.#older = new TradeTable(least)
  }

  /** Notes a trade; false where it was noted lately. */
  isNew(trade: NumberedTrade): boolean {
    if (trade.sequence === undefined) return true
    const hash = hashOf(trade.contract)
    if (this.#older.slotOf(trade, hash) < 0) return false
    let slot = this.#recent.slotOf(trade, hash)
    if (slot < 0) return false
    if (this.#recent.size >= this.#least) {
      const emptied = this.#older
      this.#older = this.#recent
      this.#recent = emptied
      emptied.clear()
      slot = emptied.slotOf(trade, hash)
    }
    this.#recent.put(slot, trade, hash)
    return true
  }
}

/** Figures of a slot: number, hash of the contract, time, price, size, exchange. */
const WIDTH = 6

/**
 * Trades by their figures, and by a hash of their contract: two of one number, time, price, size and exchange whose
 * contracts have one hash would be taken for one.
 *
 * Source: open addressing with linear probing, at most half full; Knuth, The Art of Computer Programming 3, 6.4.
 */
class TradeTable {
  /** 32 less the bits of a slot's number. */
  readonly #shift: number
  readonly #mask: number
  readonly #figures: Float64Array
  size = 0

  constructor(most: number) {
    const bits = Math.ceil(Math.log2(2 * most))
    const slots = 2 ** bits
    this.#shift = 32 - bits
    this.#mask = slots - 1
    this.#figures = new Float64Array(WIDTH * slots).fill(Number.NaN)
  }

  /** The empty slot of a trade; -1 where the trade is there. */
  slotOf({ sequence, time, price, size, exchange }: NumberedTrade, hash: number): number {
    const figures = this.#figures
    // With the time: a vendor might number the trades of a contract alike.
    let slot = Math.imul(sequence! ^ hash ^ time, 0x9e3779b1) >>> this.#shift
    for (; ; slot = (slot + 1) & this.#mask) {
      const at = WIDTH * slot
      if (Number.isNaN(figures[at])) return slot
      const isSame =
        figures[at] === sequence &&
        figures[at + 1] === hash &&
        figures[at + 2] === time &&
        figures[at + 3] === price &&
        figures[at + 4] === size &&
        figures[at + 5] === exchange
      if (isSame) return -1
    }
  }

  put(slot: number, { sequence, time, price, size, exchange }: NumberedTrade, hash: number): void {
    const at = WIDTH * slot
    this.#figures[at] = sequence!
    this.#figures[at + 1] = hash
    this.#figures[at + 2] = time
    this.#figures[at + 3] = price
    this.#figures[at + 4] = size
    this.#figures[at + 5] = exchange
    this.size++
  }

  clear(): void {
    this.#figures.fill(Number.NaN)
    this.size = 0
  }
}
