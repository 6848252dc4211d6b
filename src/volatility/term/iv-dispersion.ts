import { inPercent } from '../../math/optional.ts'
import { sampleStandardDeviation } from '../../math/statistics.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { acceptedSlices, slices } from '../smile/slice.ts'
import { atmVolatility } from '../smile/smile-volatility.ts'

/** How far volatilities of one chain lie apart: sample deviations, vol points. Undefined with fewer than two of them. */
export interface IvDispersion {
  /** Of the fitted volatilities at the money. */
  readonly acrossExpirations: number | undefined
  /** Of the smile points of the nearest expiration. */
  readonly acrossStrikes: number | undefined
}

/** The deviation of a chain's volatilities over expirations and over strikes. Source: the wire contract. */
export function ivDispersion(chain: PricedChain): IvDispersion {
  const nearest = slices(chain)[0]?.points.iv ?? []
  return {
    acrossExpirations: inPercent(sampleStandardDeviation(acceptedSlices(chain).map((slice) => atmVolatility(slice)!))),
    acrossStrikes: inPercent(sampleStandardDeviation(nearest))
  }
}
