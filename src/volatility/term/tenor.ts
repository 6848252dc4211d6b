import { addDays } from '../../market/calendar.ts'
import { yearsToExpiry } from '../../market/clock.ts'
import { easternDate } from '../../market/eastern.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { isAccepted, slices } from '../smile/slice.ts'
import { totalVariance } from '../svi/svi.ts'
import { centralVolatility, marketVolatility } from './central-volatility.ts'

/** If only one smile is close to a tenor, its volatility is used if their times differ by at most this factor. */
const MAX_DISTANCE = 2

/** Total variance at the forward of one expiration. */
interface Knot {
  readonly days: number
  readonly t: number
  readonly variance: number
}

/**
 * Volatility at the forward for a time of `days` calendar days, an annual fraction. If an expiration is exactly so far
 * away, its own volatility. Between two expirations, total variance is interpolated linearly in time. Before the first
 * or after the last expiration, its volatility is used if the times differ by a factor of two at most. Only accepted
 * smiles at least a day away are used. If they do not reach the tenor, the other expirations are used beside them: their
 * market smiles, or else what their quotes or straddles say at the forward. Undefined if these do not reach it either.
 */
export function tenorVolatility(chain: PricedChain, days: number): number | undefined {
  const t = yearsToExpiry(chain.asOf, addDays(easternDate(chain.asOf), days), 'pm')
  return along(fittedKnots(chain), days, t) ?? along(allKnots(chain), days, t)
}

function along(known: readonly Knot[], days: number, t: number): number | undefined {
  const own = known.find((knot) => knot.days === days)
  if (own !== undefined) return Math.sqrt(own.variance / own.t)
  const after = known.findIndex((knot) => knot.t >= t)
  const high = known[after === -1 ? known.length - 1 : after]
  if (high === undefined) return undefined
  if (after <= 0) {
    const apart = Math.max(high.t / t, t / high.t)
    return apart <= MAX_DISTANCE ? Math.sqrt(high.variance / high.t) : undefined
  }
  const low = known[after - 1]
  const w = low.variance + ((high.variance - low.variance) * (t - low.t)) / (high.t - low.t)
  return Math.sqrt(w / t)
}

const laterSlices = (chain: PricedChain) => slices(chain).filter((slice) => slice.days >= 1)

const fittedKnots = (chain: PricedChain): readonly Knot[] =>
  laterSlices(chain)
    .filter(isAccepted)
    .map(({ days, t, svi }) => ({ days, t, variance: totalVariance(svi, 0) }))

const allKnots = (chain: PricedChain): readonly Knot[] =>
  laterSlices(chain).flatMap((slice) => {
    const { days, t } = slice
    if (isAccepted(slice)) return [{ days, t, variance: totalVariance(slice.svi, 0) }]
    const sigma = marketVolatility(chain, slice) ?? centralVolatility(chain, slice)
    return sigma === undefined ? [] : [{ days, t, variance: sigma * sigma * t }]
  })
