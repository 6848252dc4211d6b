import { MILLISECONDS_PER_MINUTE } from '../market/units.ts'
import { NumberSet } from './number-set.ts'

/** How far back a print is recognised at least, microseconds: what feeds send again after a reconnect is minutes old. */
export const REACH = 30 * MILLISECONDS_PER_MINUTE * 1000

/** The numbers of the prints that were appended lately: two spans of time, of which the older is dropped as a whole. */
export class Duplicates {
  #recent = new Map<number, NumberSet>()
  #older = new Map<number, NumberSet>()
  #since = Number.NEGATIVE_INFINITY

  /** Notes a print that became known at `known`, microseconds; false where it was noted before. */
  isNew(exchange: number, sequence: number, known: number): boolean {
    if (known - this.#since > REACH) {
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

  /** Whether a print was noted lately. */
  has(exchange: number, sequence: number): boolean {
    return this.#recent.get(exchange)?.has(sequence) === true || this.#older.get(exchange)?.has(sequence) === true
  }
}
