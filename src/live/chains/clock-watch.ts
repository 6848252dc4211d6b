import { MAX_AHEAD } from '../../market/examination.ts'
import type { Ticker } from '../../market/units.ts'

/** Payloads in a row from the future before the clock is suspected rather than the source. */
const MIN_IN_A_ROW = 3
/** Symbols that these must come from, or all there are if fewer. */
const MIN_SYMBOLS = 5

/**
 * Tells a slow clock from a wrong source: if every payload of several symbols is from the future, the clock is behind.
 * One payload that is not clears the suspicion.
 */
export class ClockWatch {
  readonly #symbols = new Set<Ticker>()
  #inARow = 0
  #least = Number.POSITIVE_INFINITY
  #behindBy: number | undefined

  /** How far the clock is behind at least, milliseconds; undefined if nothing suggests it. */
  get behindBy(): number | undefined {
    return this.#behindBy
  }

  /** Notes how far the moment of a payload is ahead of the clock. `known`: number of polled symbols. */
  note(symbol: Ticker, ahead: number, known: number): void {
    if (ahead <= MAX_AHEAD) {
      this.#symbols.clear()
      this.#inARow = 0
      this.#least = Number.POSITIVE_INFINITY
      this.#behindBy = undefined
      return
    }
    this.#symbols.add(symbol)
    this.#inARow++
    this.#least = Math.min(this.#least, ahead)
    if (this.#inARow >= MIN_IN_A_ROW && this.#symbols.size >= Math.min(known, MIN_SYMBOLS)) this.#behindBy = this.#least
  }
}
