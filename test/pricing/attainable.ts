import { CALL, PUT } from '../../src/market/chain.ts'
import { normalCdf, normalPdf } from '../../src/math/normal.ts'
import type { Right } from '../../src/pricing/bsm.ts'
import { impliedVolatilities } from '../../src/pricing/implied-volatility.ts'

/** One option by its forward, as Black's formula sees it. */
export interface ForwardOption {
  readonly right: Right
  readonly forward: number
  readonly strike: number
  readonly discount: number
  readonly t: number
}

/** Distance from a positive number to the next larger double. */
export function ulp(x: number): number {
  return 2 ** (Math.floor(Math.log2(Math.max(x, 2 ** -1022))) - 52)
}

/** dPrice / dσ by Black's formula. */
export function vega({ forward, strike, discount, t }: ForwardOption, sigma: number): number {
  const s = sigma * Math.sqrt(t)
  return discount * forward * Math.sqrt(t) * normalPdf(Math.log(forward / strike) / s + s / 2)
}

/**
 * Accuracy that the inputs allow: the change of the implied volatility when price, forward, strike and discount each move by
 * one unit in the last place, and the result is rounded to a double. No inversion can promise less.
 */
export function attainableError(option: ForwardOption, price: number, sigma: number): number {
  const { right, forward, strike, discount, t } = option
  const s = sigma * Math.sqrt(t)
  const sign = right === 'call' ? 1 : -1
  const d1 = Math.log(forward / strike) / s + s / 2
  const fromForward = discount * normalCdf(sign * d1) * ulp(forward)
  const fromStrike = discount * normalCdf(sign * (d1 - s)) * ulp(strike)
  const fromDiscount = (price / discount) * ulp(discount)
  return (ulp(price) + fromForward + fromStrike + fromDiscount) / vega(option, sigma) + ulp(sigma)
}

/** The volatility of one price, NaN where there is none. */
export function impliedBy({ right, strike, ...terms }: ForwardOption, price: number): number {
  const out = new Float64Array(1)
  const flag = Uint8Array.of(right === 'call' ? CALL : PUT)
  impliedVolatilities(terms, Float64Array.of(strike), flag, Float64Array.of(price), 0, 1, out)
  return out[0]
}
