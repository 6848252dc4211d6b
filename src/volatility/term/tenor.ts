import { addDays } from '../../market/calendar.ts'
import { yearsToExpiry } from '../../market/clock.ts'
import { easternDate } from '../../market/eastern.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { acceptedSlices } from '../smile/slice.ts'
import { totalVariance } from '../svi/svi.ts'

/** A single slice speaks for tenors up to this many times shorter or longer than itself. */
const MAX_DISTANCE = 2

/**
 * Volatility at the forward for a tenor of whole calendar days, an annual fraction.
 *
 * Total variance is linear in years between the neighbouring accepted slices a day away or more. Beyond the first or the
 * last slice that one's volatility holds while its time is within a factor of two of the tenor's; then there is none. A
 * tenor that is listed has the volatility of its own slice.
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
