import type { ChainHeader } from '../market/chain.ts'
import { isoInstant } from '../market/units.ts'
import { moment, spot } from './annotations.ts'
import { Name, Price, Timestamp } from './quantity.ts'

/** First fields of every analytics response. */
export const envelope = {
  symbol: Name('underlying ticker'),
  underlying_price: Price('midpoint of the underlying quote, its last price where a side is missing', spot),
  as_of: Timestamp('the moment the answer describes, UTC', moment)
}

export type Described = Pick<ChainHeader, 'symbol' | 'spot' | 'asOf'>

export function header({ symbol, spot: price, asOf }: Described) {
  return { symbol, underlying_price: price, as_of: isoInstant(asOf) }
}
