import type { PricedChain } from '../../pricing/price-chain.ts'
import { type AcceptedSlice, acceptedSlices, isCentred, type Slice, slices } from '../smile/slice.ts'
import { atmVolatility } from '../smile/smile-volatility.ts'

/** Calendar days to expiry for which the headline volatility of a chain is quoted. */
export const REFERENCE_DAYS = 30

/**
 * The accepted smile nearest to 30 days and at least a day away; in a tie, the one that expires sooner. If the only
 * accepted smile expires today, that one. Nearer expirations are avoided because their volatility varies with the
 * weekday: on a Friday, two days without trading lie before them.
 */
export function referenceSlice(chain: PricedChain): AcceptedSlice | undefined {
  const accepted = acceptedSlices(chain)
  return nearest(accepted.filter(({ days }) => days >= 1)) ?? accepted[0]
}

/**
 * The smile from which the headline volatility of a chain is read. It is the one nearest to 30 days, at least a day
 * away, that was accepted, or refused only for too few points. A fit of five parameters needs six points, but the
 * volatility at the forward needs only two. So a quote that is missing for a minute does not move the headline to
 * another expiration. If there is none, the result is `referenceSlice`, or else the nearest smile that can be
 * interpolated at the forward.
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

/** Headline volatility of a chain: the volatility at the forward of its reference expiration, an annual fraction. */
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
