import { pause } from '../pause.ts'

/** Maximum number of concurrent requests that a budget's memory can count. */
export const MAX_PLACES = 64
/**
 * Milliseconds after which a place counts as free even if it was not freed, because its thread must have died. No
 * request takes that long.
 */
const KEPT_FOR = 10 * 60_000
/** Milliseconds between two checks for a free place. */
const CHECK_EVERY = 5

export interface PlacesOptions {
  /** `clock` returns milliseconds of a monotonic clock that all threads share; `wait` waits. Tests replace both. */
  readonly clock: () => number
  readonly wait?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined
}

/**
 * Limits the concurrent requests to one source, across all threads that share its memory. Within a thread, places are
 * given in the order of the requests.
 */
export class RequestPlaces {
  /** Time at which each place expires, in microseconds of the clock; 0 if the place is free. */
  readonly #cells: BigInt64Array
  readonly #options: PlacesOptions
  readonly #waiting: symbol[] = []

  constructor(cells: BigInt64Array, options: PlacesOptions) {
    this.#cells = cells
    this.#options = options
  }

  /**
   * Waits for a free place and resolves with a function that frees the place again. Rejects with the signal's reason.
   */
  async take(signal: AbortSignal): Promise<() => void> {
    const { wait = pause } = this.#options
    const me = Symbol('waiting')
    this.#waiting.push(me)
    try {
      for (;;) {
        signal.throwIfAborted()
        const giveBack = this.#waiting[0] === me ? this.#takeFree() : undefined
        if (giveBack !== undefined) return giveBack
        await wait(CHECK_EVERY, signal)
      }
    } finally {
      this.#waiting.splice(this.#waiting.indexOf(me), 1)
    }
  }

  #takeFree(): (() => void) | undefined {
    const now = this.#options.clock()
    const until = BigInt(Math.round((now + KEPT_FOR) * 1000))
    for (const [place, taken] of this.#cells.entries()) {
      if (Number(taken) / 1000 > now) continue
      if (Atomics.compareExchange(this.#cells, place, taken, until) !== taken) continue
      // An expired place may belong to another request by now.
      return () => void Atomics.compareExchange(this.#cells, place, until, 0n)
    }
    return undefined
  }
}
