import { hashOf } from '../../market/hash.ts'

/** What tells trades apart. A number that were given twice after all tells nothing: the figures have to agree. */
export interface NumberedTrade {
  readonly contract: string
  /** Undefined: its vendor gave it none, and it is new. */
  readonly sequence: number | undefined
  readonly time: number
  readonly price: number
  /** Whole and below 2^31, as `exchange` is. */
  readonly size: number
  readonly exchange: number
}

/**
 * The trades that a stream told lately, at least so many and at most twice as many: what it tells again after a reconnect is
 * known by them. They are kept as columns: as objects they would outlive the young ones of their thread by seconds, and at
 * 100,000 a second half of what that thread collects would be they.
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
    const hash = hashOf(trade.contract) | 0
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

/** Figures of a slot: number, time and price; the hash of the contract, size and exchange. */
const WIDTH = 3

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
  readonly #doubles: Float64Array
  readonly #integers: Int32Array
  size = 0

  constructor(most: number) {
    const bits = Math.ceil(Math.log2(2 * most))
    const slots = 2 ** bits
    this.#shift = 32 - bits
    this.#mask = slots - 1
    this.#doubles = new Float64Array(WIDTH * slots).fill(Number.NaN)
    this.#integers = new Int32Array(WIDTH * slots)
  }

  /** The empty slot of a trade; -1 where the trade is there. */
  slotOf({ sequence, time, price, size, exchange }: NumberedTrade, hash: number): number {
    const [doubles, integers, mask] = [this.#doubles, this.#integers, this.#mask]
    for (let slot = Math.imul(sequence! ^ hash, 0x9e3779b1) >>> this.#shift; ; slot = (slot + 1) & mask) {
      const at = WIDTH * slot
      if (Number.isNaN(doubles[at])) return slot
      const isSame =
        doubles[at] === sequence &&
        integers[at] === hash &&
        doubles[at + 1] === time &&
        doubles[at + 2] === price &&
        integers[at + 1] === size &&
        integers[at + 2] === exchange
      if (isSame) return -1
    }
  }

  put(slot: number, { sequence, time, price, size, exchange }: NumberedTrade, hash: number): void {
    const at = WIDTH * slot
    this.#doubles[at] = sequence!
    this.#doubles[at + 1] = time
    this.#doubles[at + 2] = price
    this.#integers[at] = hash
    this.#integers[at + 1] = size
    this.#integers[at + 2] = exchange
    this.size++
  }

  clear(): void {
    this.#doubles.fill(Number.NaN)
    this.size = 0
  }
}
