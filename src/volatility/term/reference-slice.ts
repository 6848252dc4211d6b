import type { PricedChain } from '../../pricing/price-chain.ts'
import { type AcceptedSlice, acceptedSlices, isCentred, type Slice, slices } from '../smile/slice.ts'
import { atmVolatility } from '../smile/smile-volatility.ts'

/** The headline of a chain looks this many calendar days ahead. */
export const REFERENCE_DAYS = 30

/**
 * The accepted slice nearest to 30 days, a day away at least and the shorter of two as near; the one of today where it is
 * the only one. A nearer one would have a season: on a Friday it holds two days without trading.
 */
export function referenceSlice(chain: PricedChain): AcceptedSlice | undefined {
  const accepted = acceptedSlices(chain)
  return nearest(accepted.filter(({ days }) => days >= 1)) ?? accepted[0]
}

/**
 * The expiration a chain's volatility is read off: the one nearest to 30 days, a day away at least, whose slice is accepted
 * or lacks nothing but points. Five parameters need six points, the volatility at the forward the two around it: a quote
 * that is missing for a minute does not send the headline to another expiration. Else the accepted slice of today, else the
 * one nearest to 30 days whose smile can be interpolated at the forward.
 */
export function referenceSmile(chain: PricedChain): Slice | undefined {
  const known = slices(chain)
  const centred = nearest(known.filter((slice) => slice.days >= 1 && isCentred(slice)))
  return (
    centred ??
    referenceSlice(chain) ??
    nearest(known.filter(({ interpolatedVariance }) => interpolatedVariance !== undefined))
  )
}

/** The volatility of a chain: that of its reference at the forward, an annual fraction. */
export function referenceVolatility(chain: PricedChain): number | undefined {
  const smile = referenceSmile(chain)
  return smile === undefined ? undefined : atmVolatility(smile)
}

/** The slice nearest to 30 days, the first of two as near. */
function nearest<Some extends Slice>(ascending: readonly Some[]): Some | undefined {
  const away = ({ days }: Slice) => Math.abs(days - REFERENCE_DAYS)
  return ascending.reduce<Some | undefined>(
    (best, slice) => (best === undefined || away(slice) < away(best) ? slice : best),
    undefined
  )
}
