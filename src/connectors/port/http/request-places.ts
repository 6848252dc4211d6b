import { pause } from '../pause.ts'

/** Places that fit into the memory of a budget. */
export const MAX_PLACES = 64
/** A place whose thread has died is free again after so long, milliseconds: longer than any request may take. */
const KEPT_FOR = 10 * 60_000
/** Between two looks for a free place, milliseconds. */
const LOOK_EVERY = 5

export interface PlacesOptions {
  /** Milliseconds that only grow, the same for all threads, and how to wait for so many. */
  readonly clock: () => number
  readonly wait?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined
}

/**
 * Lets so many requests to one source be under way at once, on all threads that share its memory. On one thread places are
 * given in the order in which they are asked for.
 */
export class RequestPlaces {
  /** Until when each place is taken, in microseconds of the clock; 0: it is free. */
  readonly #cells: BigInt64Array
  readonly #options: PlacesOptions
  readonly #waiting: symbol[] = []

  /** One place for each cell. */
  constructor(cells: BigInt64Array, options: PlacesOptions) {
    this.#cells = cells
    this.#options = options
  }

  /** Resolves with what gives the place back once there is one. Rejects with the reason of the signal. */
  async take(signal: AbortSignal): Promise<() => void> {
    const { wait = pause } = this.#options
    const me = Symbol('waiting')
    this.#waiting.push(me)
    try {
      for (;;) {
        signal.throwIfAborted()
        const giveBack = this.#waiting[0] === me ? this.#takeFree() : undefined
        if (giveBack !== undefined) return giveBack
        await wait(LOOK_EVERY, signal)
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
      // One that was taken away for its age is another's by now.
      return () => void Atomics.compareExchange(this.#cells, place, until, 0n)
    }
    return undefined
  }
}
