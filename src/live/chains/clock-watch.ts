import { MAX_AHEAD } from '../../gate/chronology.ts'
import type { Instant, Ticker } from '../../market/units.ts'

/** Number of consecutive payloads from the future before the clock is suspected rather than the source. */
const MIN_IN_A_ROW = 3
/** Number of symbols that these payloads must come from; all polled symbols if there are fewer. */
const MIN_SYMBOLS = 5
/** A clock that goes back by more than this was set, milliseconds. */
const MAX_BACK = 1000

/**
 * Distinguishes a slow clock from a wrong source: if every payload of several symbols is from the future, the clock is
 * behind. One payload that is not from the future clears the suspicion, and clears the clock from then on, until it is
 * set back: a clock that was right does not fall behind by itself.
 */
export class ClockWatch {
  readonly #wallNow: () => Instant
  readonly #symbols = new Set<Ticker>()
  #latest: Instant = Number.NEGATIVE_INFINITY
  #wasRight = false
  #inARow = 0
  #least = Number.POSITIVE_INFINITY
  #behindBy: number | undefined

  constructor(wallNow: () => Instant) {
    this.#wallNow = wallNow
  }

  /** Minimum lag of the clock, milliseconds; undefined if nothing suggests a lag. */
  get behindBy(): number | undefined {
    return this.#behindBy
  }

  /** Notices a clock that was set back. Called at every poll, so that no setting is missed. */
  check(): void {
    const now = this.#wallNow()
    if (now < this.#latest - MAX_BACK) this.#wasRight = false
    this.#latest = now
  }

  /**
   * Records by how many milliseconds a payload's time is ahead of the clock. `known` is the number of polled symbols.
   */
  note(symbol: Ticker, ahead: number, known: number): void {
    this.check()
    if (ahead <= MAX_AHEAD) {
      this.#symbols.clear()
      this.#inARow = 0
      this.#least = Number.POSITIVE_INFINITY
      this.#behindBy = undefined
      this.#wasRight = true
      return
    }
    if (this.#wasRight) return
    this.#symbols.add(symbol)
    this.#inARow++
    this.#least = Math.min(this.#least, ahead)
    if (this.#inARow >= MIN_IN_A_ROW && this.#symbols.size >= Math.min(known, MIN_SYMBOLS)) this.#behindBy = this.#least
  }
}
