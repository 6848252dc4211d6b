import { inPercent } from '../../math/optional.ts'
import { sampleStandardDeviation } from '../../math/statistics.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { acceptedSlices, slices } from '../smile/slice.ts'
import { atmVolatility } from '../smile/smile-volatility.ts'

/**
 * Spread of volatilities within a chain: sample standard deviations in vol points, undefined with fewer than two
 * values.
 */
export interface IvDispersion {
  /** Deviation of the fitted at-the-money volatilities of all expirations. */
  readonly acrossExpirations: number | undefined
  /** Deviation of the volatilities of the nearest expiration's smile points. */
  readonly acrossStrikes: number | undefined
}

/** Standard deviations of a chain's volatilities. Source: the wire contract. */
export function ivDispersion(chain: PricedChain): IvDispersion {
  const nearest = slices(chain)[0]?.points.iv ?? []
  return {
    acrossExpirations: inPercent(sampleStandardDeviation(acceptedSlices(chain).map((slice) => atmVolatility(slice)!))),
    acrossStrikes: inPercent(sampleStandardDeviation(nearest))
  }
}
