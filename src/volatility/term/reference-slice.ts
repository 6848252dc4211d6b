import type { PricedChain } from '../../pricing/price-chain.ts'
import { type AcceptedSlice, acceptedSlices, isCentred, type Slice, slices } from '../smile/slice.ts'
import { atmVolatility } from '../smile/smile-volatility.ts'

/** Calendar days of the reference tenor, for which a chain's headline volatility is quoted. */
export const REFERENCE_DAYS = 30

/**
 * Accepted slice nearest to 30 days and at least a day away; the shorter one wins a tie. Falls back to today's slice if
 * it is the only one. Shorter expirations would vary with the weekday: on a Friday they contain two days without
 * trading.
 */
export function referenceSlice(chain: PricedChain): AcceptedSlice | undefined {
  const accepted = acceptedSlices(chain)
  return nearest(accepted.filter(({ days }) => days >= 1)) ?? accepted[0]
}

/**
 * Expiration that a chain's headline volatility comes from: nearest to 30 days, at least a day away, and either
 * accepted or refused only for too few points. Five parameters need six points, but the volatility at the forward needs
 * only two, so a quote missing for a minute does not move the headline to another expiration. Falls back to
 * `referenceSlice`, then to the nearest smile that can be interpolated at the forward.
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

/** Headline volatility of a chain: at the forward of its reference expiration, an annual fraction. */
export function referenceVolatility(chain: PricedChain): number | undefined {
  const smile = referenceSmile(chain)
  return smile === undefined ? undefined : atmVolatility(smile)
}

function nearest<Some extends Slice>(ascending: readonly Some[]): Some | undefined {
  const away = ({ days }: Slice) => Math.abs(days - REFERENCE_DAYS)
  return ascending.reduce<Some | undefined>(
    (best, slice) => (best === undefined || away(slice) < away(best) ? slice : best),
    undefined
  )
}
