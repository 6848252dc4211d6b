import { CALL } from '../market/chain.ts'
import { fillAllGreeks, fillGreeks, type SpotTerms } from './greeks.ts'

/** Higher greeks of one expiration at each strike of a list, per share. NaN at a strike without a volatility. */
export interface GreekRow {
  /** Change of delta per 1.00 of volatility. */
  readonly vanna: Float64Array
  /** Change of a call's delta per calendar day that passes. */
  readonly charm: Float64Array
  /** Change of vega per 1.00 of volatility, where vega itself is per 1.00 of volatility. */
  readonly volga: Float64Array
  /** Change of gamma per USD of spot. */
  readonly speed: Float64Array
}

/**
 * Computes the higher greeks at each strike from the volatility at that strike. Charm uses `clockYield`, which is
 * explained at `Carry`.
 */
export function greekRow(terms: SpotTerms, clockYield: number, strikes: Float64Array, sigmas: Float64Array): GreekRow {
  const size = strikes.length
  const rights = new Uint8Array(size).fill(CALL)
  const columns = Array.from({ length: 15 }, () => new Float64Array(size))
  const [delta, gamma, theta, vega, rho, vanna, charm, price, vomma, dualDelta, speed, zomma, color, ultima, veta] =
    columns
  const usual = { delta, gamma, theta, vega, rho, vanna, charm }
  const further = { price, vomma, dualDelta, speed, zomma, color, ultima, veta }
  fillAllGreeks(terms, strikes, rights, sigmas, 0, size, { ...usual, ...further })
  if (clockYield !== terms.dividendYield) {
    const clock = { ...terms, dividendYield: clockYield }
    fillGreeks(clock, strikes, rights, sigmas, 0, size, { ...usual, gamma: color, vanna: zomma })
  }
  return { vanna, charm, volga: vomma, speed }
}
