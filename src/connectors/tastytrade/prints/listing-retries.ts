import type { Ticker } from '../../../market/units.ts'

/** How long a symbol whose listing failed is left alone: twice as long after each failure in a row, within a bound. */
export class ListingRetries {
  readonly #first: number
  readonly #longest: number
  readonly #failed = new Map<Ticker, { readonly pause: number; readonly until: number }>()

  /** The pause after a first failure, and the longest, milliseconds. */
  constructor(first: number, longest: number) {
    this.#first = first
    this.#longest = longest
  }

  /** Whether a symbol may be listed at a time of `performance.now()`. */
  isDue(symbol: Ticker, at: number): boolean {
    return at >= (this.#failed.get(symbol)?.until ?? Number.NEGATIVE_INFINITY)
  }

  failed(symbol: Ticker, at: number): void {
    const before = this.#failed.get(symbol)?.pause
    const pause = before === undefined ? this.#first : Math.min(this.#longest, 2 * before)
    this.#failed.set(symbol, { pause, until: at + pause })
  }

  succeeded(symbol: Ticker): void {
    this.#failed.delete(symbol)
  }
}
