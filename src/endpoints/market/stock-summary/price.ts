import Type from 'typebox'
import { block } from '../../../api/block.ts'
import { Nullable, Price, Timestamp } from '../../../api/quantity.ts'
import type { UnderlyingQuote } from '../../../market/chain.ts'
import { isoInstant } from '../../../market/units.ts'
import { quoteSides } from '../underlying-quote.ts'

export const priceBlock = block(
  Type.Object(
    {
      bid: Nullable(Price('null without a two-sided quote, as for an index')),
      ask: Nullable(Price()),
      mid: Price('the last price where a side is missing'),
      last: Price(),
      last_update: Timestamp()
    },
    { title: 'SummaryPrice' }
  ),
  (quote: UnderlyingQuote) => ({ ...quoteSides(quote), last: quote.last, last_update: isoInstant(quote.time) })
)
