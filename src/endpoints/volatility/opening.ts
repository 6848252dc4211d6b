import Type from 'typebox'
import { block } from '../../api/block.ts'
import { type Described, envelope, header } from '../../api/envelope.ts'
import { isMarketOpen } from '../../market/clock.ts'

/** First fields of the larger volatility responses. */
export const openingBlock = block(
  Type.Object({
    ...envelope,
    market_open: Type.Boolean({ description: 'whether the regular session was in progress at as_of' })
  }),
  (described: Described) => ({ ...header(described), market_open: isMarketOpen(described.asOf) })
)
