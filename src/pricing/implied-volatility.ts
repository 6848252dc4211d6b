import { CALL } from '../market/chain.ts'
import { logMoneyness } from './log-moneyness.ts'
import { copyAnswers, loadOptions, optionKernels } from './simd/option-kernels.ts'
import { totalVolatility } from './total-volatility.ts'

/** Market terms of one expiration for pricing its options, with the forward as price of the underlying. */
export interface ForwardTerms {
  readonly forward: number
  /** Present value of 1.00 paid at expiry. */
  readonly discount: number
  /** Years to expiry. */
  readonly t: number
}

/**
 * Fills `out`, from `start` to `end`, with the volatilities (annual fractions) at which Black's formula gives `price`.
 * NaN if there is none: the price is missing, it is not strictly between the European bounds, or a term is not
 * positive. Put-call parity converts a price in the money to its time value. The result is as accurate as the price
 * allows, for any strike.
 * Method: a tabulated guess and one Householder step on the logarithm of the value (simd/options.as.ts). The kernel
 * refuses a step that is too long to be trusted. `totalVolatility` then solves for that contract.
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
  const kernels = optionKernels()
  const { forward, discount, t } = terms
  const perRootT = t > 0 ? 1 / Math.sqrt(t) : Number.NaN
  for (let from = start; from < end; from += kernels.block) {
    const count = Math.min(kernels.block, end - from)
    loadOptions(kernels, strike, right, price, from, count)
    const refused = kernels.fillVolatilities(count, forward, discount, perRootT)
    copyAnswers(kernels, 0, out, from, count)
    if (refused === 0) continue
    for (let i = from; i < from + count; i++) {
      if (out[i] === kernels.refused) out[i] = carefulTotalVolatility(terms, strike[i], right[i], price[i]) * perRootT
    }
  }
}

/**
 * Computes σ√t of a contract that the kernel refused. Its strike is further away than any listed one, or its price is
 * near the upper bound.
 */
function carefulTotalVolatility({ forward, discount }: ForwardTerms, k: number, right: number, price: number): number {
  const isCall = right === CALL
  const unit = discount * Math.sqrt(forward * k)
  const timeValue = price - discount * Math.max(isCall ? forward - k : k - forward, 0)
  const remainder = discount * (isCall ? forward : k) - price
  // For a value near the smallest doubles the quotient would lose digits.
  const logValue = timeValue > 1e-290 ? Math.log(timeValue / unit) : Math.log(timeValue) - Math.log(unit)
  return totalVolatility(Math.abs(logMoneyness(forward, k)), logValue, Math.log(remainder / unit))
}
