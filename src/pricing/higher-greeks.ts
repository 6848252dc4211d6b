import { memoize } from '../market/memoize.ts'
import { fillAllGreeks } from './greeks.ts'
import type { PricedChain } from './price-chain.ts'

/** Greeks of third order of each contract of a chain, per share; NaN for a contract without a volatility. */
export interface HigherGreeks {
  /** Change of gamma per USD of the underlying. */
  readonly speed: Float64Array
  /** Change of gamma per 1.00 of volatility. */
  readonly zomma: Float64Array
  /** Change of vega per 1.00 of volatility, where vega itself is per 1.00 of volatility. */
  readonly vomma: Float64Array
}

/**
 * Speed, zomma and vomma of a chain by Black and Scholes, with the volatility of each contract and the carry of its
 * expiration. American contracts get the same formula: their volatility allows for early exercise, the formula does not.
 * Source: Haug, The Complete Guide to Option Pricing Formulas, 2nd ed. (2007), ch. 2.
 */
export const higherGreeks = memoize((chain: PricedChain): HigherGreeks => {
  const { strike, right, sigma, size, carries, expirations } = chain
  const column = () => new Float64Array(size)
  const found = { speed: column(), zomma: column(), vomma: column() }
  const [unused, other] = [column(), column()]
  const usual = { delta: unused, gamma: unused, theta: unused, vega: unused, rho: unused, vanna: unused, charm: unused }
  const all = { ...usual, ...found, price: other, dualDelta: other, color: other, ultima: other, veta: other }
  expirations.forEach(({ start, end }, at) => {
    const { spot, t, rate, dividendYield } = carries[at]
    fillAllGreeks({ spot, t, rate, dividendYield }, strike, right, sigma, start, end, all)
  })
  return found
})
