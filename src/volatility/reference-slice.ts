import type { PricedChain } from '../pricing/price-chain.ts'
import { type AcceptedSlice, acceptedSlices, type Slice, slices } from './slice.ts'
import { atmVolatility } from './smile.ts'

/** The accepted slice nearest to expiry, a day away at least; the one of today where it is the only one. */
export function referenceSlice(chain: PricedChain): AcceptedSlice | undefined {
  return nearest(acceptedSlices(chain))
}

/**
 * The expiration a chain's volatility figures are read off: the reference slice, else the nearest one whose smile can be
 * interpolated at the forward.
 */
export function referenceSmile(chain: PricedChain): Slice | undefined {
  return referenceSlice(chain) ?? nearest(slices(chain).filter((slice) => slice.interpolatedVariance !== undefined))
}

/** The volatility of a chain: that of its reference at the forward, an annual fraction. */
export function referenceVolatility(chain: PricedChain): number | undefined {
  const smile = referenceSmile(chain)
  return smile === undefined ? undefined : atmVolatility(smile)
}

/** The first that is at least a day away, else the first. */
function nearest<Some extends Slice>(ascending: readonly Some[]): Some | undefined {
  return ascending.find(({ days }) => days >= 1) ?? ascending[0]
}
