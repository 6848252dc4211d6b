import { inPercent } from '../../math/optional.ts'
import { sampleStandardDeviation } from '../../math/statistics.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { acceptedSlices, slices } from '../smile/slice.ts'
import { atmVolatility } from '../smile/smile-volatility.ts'

/**
 * How much volatilities differ within a chain: sample standard deviations in vol points. Undefined with fewer than two
 * values.
 */
export interface IvDispersion {
  /** Standard deviation between expirations, of their fitted at-the-money volatilities. */
  readonly acrossExpirations: number | undefined
  /** Standard deviation between strikes, of the smile points of the nearest expiration. */
  readonly acrossStrikes: number | undefined
}

/** Computes how much volatilities differ within a chain. Source: the published API contract. */
export function ivDispersion(chain: PricedChain): IvDispersion {
  const nearest = slices(chain)[0]?.points.iv ?? []
  return {
    acrossExpirations: inPercent(sampleStandardDeviation(acceptedSlices(chain).map((slice) => atmVolatility(slice)!))),
    acrossStrikes: inPercent(sampleStandardDeviation(nearest))
  }
}
