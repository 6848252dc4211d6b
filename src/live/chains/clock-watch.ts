import { MAX_AHEAD } from '../../market/examination.ts'
import type { Ticker } from '../../market/units.ts'

/** Payloads in a row that must be from the future before the clock is doubted rather than the source. */
const MIN_IN_A_ROW = 3
/** Symbols that these must be of, or all there are where they are fewer. */
const MIN_SYMBOLS = 5

/**
 * Tells a clock that runs behind from a source that is wrong: where every payload of several symbols is from the future
 * it is the clock. One payload that is not ends the doubt.
 */
export class ClockWatch {
  readonly #symbols = new Set<Ticker>()
  #inARow = 0
  #least = Number.POSITIVE_INFINITY
  #behindBy: number | undefined

  /** By how much the clock is behind at least, milliseconds; undefined where nothing speaks against it. */
  get behindBy(): number | undefined {
    return this.#behindBy
  }

  /** Notes how far the moment of a payload lies past the clock. `known`: how many symbols are asked for. */
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
