import Type from 'typebox'
import type { ChainHeader } from '../market/chain.ts'
import { isoInstant } from '../market/units.ts'
import { Instant, Price } from './quantity.ts'

/** The fields that open every analytics answer. */
export const envelope = {
  symbol: Type.String({ description: 'underlying ticker' }),
  underlying_price: Price('midpoint of the underlying quote, its last price where a side is missing'),
  as_of: Instant('the moment the answer describes, UTC')
}

/** What an answer is about, and when. */
export type Described = Pick<ChainHeader, 'symbol' | 'spot' | 'asOf'>

export function header({ symbol, spot, asOf }: Described) {
  return { symbol, underlying_price: spot, as_of: isoInstant(asOf) }
}
