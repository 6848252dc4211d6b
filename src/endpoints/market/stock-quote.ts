import Type from 'typebox'
import { moment } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { symbolInPath } from '../../api/params.ts'
import { Name, Nullable, Price, Timestamp } from '../../api/quantity.ts'
import { isoInstant } from '../../market/units.ts'
import { quoteSides } from './underlying-quote.ts'

export const stockQuote = endpoint({
  id: 'stockquote.current',
  path: '/stockquote/{ticker}',
  aliases: ['/v1/stockquote/{ticker}'],
  tag: 'market-data',
  summary: 'Latest stock quote',
  description:
    "The underlying's two-sided quote as exposures use it: their spot is this midpoint. For checking what price the other answers rest on.",
  plan: 'free',
  needs: ['quote', 'previousClose'],
  absent: ['no_quote', 'no_quote'],
  params: { ticker: symbolInPath('no_quote') },
  symbols: ({ ticker }) => [ticker],
  replay: true,
  stream: true,
  response: Type.Object({
    ticker: Name(),
    bid: Nullable(Price('null without a two-sided quote, as for an index')),
    ask: Nullable(Price()),
    mid: Price('the last price where a side is missing'),
    lastPrice: Price(),
    lastUpdate: Timestamp(undefined, moment),
    previous_close: Nullable(Price('of the previous session; null if nothing is stored of it'))
  }),
  answer: ({ quote: { symbol, quote }, previousClose }) => ({
    ticker: symbol,
    ...quoteSides(quote),
    lastPrice: quote.last,
    lastUpdate: isoInstant(quote.time),
    previous_close: previousClose
  })
})
