import { MAX_AHEAD } from '../../market/examination.ts'
import type { Ticker } from '../../market/units.ts'

/** Number of consecutive payloads from the future before the clock is suspected rather than the source. */
const MIN_IN_A_ROW = 3
/** Number of symbols that these payloads must come from; all polled symbols if there are fewer. */
const MIN_SYMBOLS = 5

/**
 * Distinguishes a slow clock from a wrong source: if every payload of several symbols is from the future, the clock is
 * behind. One payload that is not from the future clears the suspicion.
 */
export class ClockWatch {
  readonly #symbols = new Set<Ticker>()
  #inARow = 0
  #least = Number.POSITIVE_INFINITY
  #behindBy: number | undefined

  /** Minimum lag of the clock, milliseconds; undefined if nothing suggests a lag. */
  get behindBy(): number | undefined {
    return this.#behindBy
  }

  /**
   * Records by how many milliseconds a payload's time is ahead of the clock. `known` is the number of polled symbols.
   */
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
