import type { Ticker } from '../../../market/units.ts'

/**
 * Tracks when the list of a symbol's contracts may be requested again after a failure. The pause doubles after each
 * failure in a row, up to a limit.
 */
export class ListingRetries {
  readonly #first: number
  readonly #longest: number
  readonly #failed = new Map<Ticker, { readonly pause: number; readonly until: number }>()

  /** Takes the first and the longest pause, milliseconds. */
  constructor(first: number, longest: number) {
    this.#first = first
    this.#longest = longest
  }

  /** Whether a symbol's contracts may be listed again at `at`, a time of `performance.now()`. */
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
