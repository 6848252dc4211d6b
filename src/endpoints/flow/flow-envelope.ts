import { envelope, header } from '../../api/envelope.ts'
import { Day, Nullable } from '../../api/quantity.ts'
import type { TapeHeader } from '../../flow/tape-views.ts'
import type { ChainHeader } from '../../market/chain.ts'
import type { Instant, IsoDate } from '../../market/units.ts'

/** First fields of responses about the flow of one symbol. */
export const flowEnvelope = {
  ...envelope,
  expiry: Nullable(Day('the requested expiration; null for the whole chain'))
}

export function flowHeader(
  { symbol, spot, asOf }: ChainHeader,
  tape: Pick<TapeHeader, 'known'> | undefined,
  expiry: IsoDate | undefined
) {
  return { ...header({ symbol, spot, asOf: newerOf(asOf, tape) }), expiry }
}

/** Time that a flow response describes: the time of the chain or of the newest print, whichever is later. */
export function newerOf(asOf: Instant, tape: Pick<TapeHeader, 'known'> | undefined): Instant {
  return Math.max(asOf, tape?.known ?? asOf)
}
