import { MILLISECONDS_PER_MINUTE } from '../market/units.ts'
import { NumberSet } from './number-set.ts'

/**
 * A repeated print is recognized for at least this long, microseconds. After a reconnect feeds repeat prints of the
 * last minutes, not hours.
 */
export const REMEMBERED_FOR = 30 * MILLISECONDS_PER_MINUTE * 1000

/**
 * Sequence numbers of recent prints, by exchange. They are kept in two consecutive periods; when a new period begins,
 * all numbers of the older one are dropped.
 */
export class RecentSequences {
  #recent = new Map<number, NumberSet>()
  #older = new Map<number, NumberSet>()
  #since = Number.NEGATIVE_INFINITY

  /**
   * Adds the sequence number of a print that became known at `known`, microseconds. Returns false if the number was
   * already there.
   */
  add(exchange: number, sequence: number, known: number): boolean {
    if (known - this.#since > REMEMBERED_FOR) {
      this.#older = this.#recent
      this.#recent = new Map()
      this.#since = known
    }
    if (this.has(exchange, sequence)) return false
    let numbers = this.#recent.get(exchange)
    if (numbers === undefined) this.#recent.set(exchange, (numbers = new NumberSet()))
    numbers.add(sequence)
    return true
  }

  get bytes(): number {
    let bytes = 0
    for (const numbers of [...this.#recent.values(), ...this.#older.values()]) bytes += numbers.bytes
    return bytes
  }

  has(exchange: number, sequence: number): boolean {
    return this.#recent.get(exchange)?.has(sequence) === true || this.#older.get(exchange)?.has(sequence) === true
  }
}
