import { type Greeks, greeks, type Option } from '../bsm.ts'
import type { Market, ValuedLeg } from './scenario-grid.ts'

export type StructureGreeks = Pick<Greeks, 'delta' | 'gamma' | 'theta' | 'vega' | 'rho' | 'vanna' | 'charm'>

/** Calendar days to expiry assumed for a leg that expires today. */
const LAST_DAY = 0.5

/**
 * Greeks of a structure per share: the sum over its legs of greek times quantity, with a year of 365 days. A leg that
 * has expired adds nothing. `greeksOf` computes the greeks of one option, by default with Black-Scholes-Merton.
 */
export function structureGreeks(
  legs: readonly Omit<ValuedLeg, 'premium'>[],
  market: Market,
  greeksOf: (option: Option) => StructureGreeks = greeks
): StructureGreeks {
  const sum = { delta: 0, gamma: 0, theta: 0, vega: 0, rho: 0, vanna: 0, charm: 0 }
  for (const { right, strike, sigma, days, quantity } of legs) {
    if (days < 0) continue
    const each = greeksOf({ ...market, right, strike, sigma, t: (days === 0 ? LAST_DAY : days) / 365 })
    for (const name in sum) {
      const key = name as keyof typeof sum
      sum[key] += quantity * each[key]
    }
  }
  return sum
}
