import { arePlainKernels } from './kernel-choice.ts'
import { plainVolatilities } from './plain-volatilities.ts'
import { quickVolatilities } from './simd/quick-volatilities.ts'

/** What the options of one expiration share. */
export interface ForwardTerms {
  readonly forward: number
  /** Present value of 1.00 paid at expiry. */
  readonly discount: number
  /** Years to expiry. */
  readonly t: number
}

/**
 * Fills `out` from `start` to `end` with the volatilities (annual fractions) at which Black's formula gives `price`.
 *
 * NaN where there is none: no price, one at or outside the European bounds, or terms that are not positive. A price in
 * the money is turned into time value through put-call parity. As accurate as the price allows, for any strike.
 * Method: see `plainVolatilities`.
 */
export function impliedVolatilities(
  terms: ForwardTerms,
  strike: Float64Array,
  right: Uint8Array,
  price: Float64Array,
  start: number,
  end: number,
  out: Float64Array
): void {
  const fill = arePlainKernels() ? plainVolatilities : quickVolatilities
  fill(terms, strike, right, price, start, end, out)
}
