import type { IsoDate, Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { type MaybePromise, orUndefined } from '../maybe-promise.ts'
import type { DataRequest } from '../source.ts'

/** The chain of an index beside the symbol of a request: of the same moment, or undefined. */
export function contextChain(
  index: Ticker,
  { source, maxAge }: DataRequest,
  session: IsoDate | undefined
): MaybePromise<PricedChain | undefined> {
  return orUndefined(() => (session === undefined ? source.chain(index, maxAge) : source.closing(index, session)))
}
