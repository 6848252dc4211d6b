import { addDays } from '../../market/calendar.ts'
import { yearsToExpiry } from '../../market/clock.ts'
import { easternDate } from '../../market/eastern.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { acceptedSlices } from '../smile/slice.ts'
import { totalVariance } from '../svi/svi.ts'

/** If only one smile is close to a tenor, its volatility is used if their times differ by at most this factor. */
const MAX_DISTANCE = 2

/**
 * Volatility at the forward for a time of `days` calendar days, an annual fraction. If an expiration is exactly so far
 * away, its own volatility. Between two expirations, total variance is interpolated linearly in time. Before the first
 * or after the last expiration, its volatility is used if the times differ by a factor of two at most. Otherwise
 * undefined. Only accepted smiles at least a day away are used.
 */
export function tenorVolatility(chain: PricedChain, days: number): number | undefined {
  const known = acceptedSlices(chain).filter((slice) => slice.days >= 1)
  const own = known.find((slice) => slice.days === days)
  if (own !== undefined) return Math.sqrt(totalVariance(own.svi, 0) / own.t)
  const t = yearsToExpiry(chain.asOf, addDays(easternDate(chain.asOf), days), 'pm')
  const after = known.findIndex((slice) => slice.t >= t)
  const high = known[after === -1 ? known.length - 1 : after]
  if (high === undefined) return undefined
  const highVariance = totalVariance(high.svi, 0)
  if (after <= 0) {
    const apart = Math.max(high.t / t, t / high.t)
    return apart <= MAX_DISTANCE ? Math.sqrt(highVariance / high.t) : undefined
  }
  const low = known[after - 1]
  const lowVariance = totalVariance(low.svi, 0)
  const w = lowVariance + ((highVariance - lowVariance) * (t - low.t)) / (high.t - low.t)
  return Math.sqrt(w / t)
}
