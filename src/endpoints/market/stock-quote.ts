import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { symbolInPath } from '../../api/params.ts'
import { Instant, Nullable, Price } from '../../api/quantity.ts'
import { isoInstant } from '../../market/units.ts'

export const stockQuote = endpoint({
  id: 'stockquote.current',
  path: '/stockquote/{ticker}',
  aliases: ['/v1/stockquote/{ticker}'],
  tag: 'market-data',
  summary: 'Latest stock quote',
  plan: 'free',
  needs: ['quote'],
  absent: ['no_quote', 'no_quote'],
  params: { ticker: symbolInPath('no_quote') },
  symbols: ({ ticker }) => [ticker],
  replay: true,
  stream: true,
  response: Type.Object({
    ticker: Type.String(),
    bid: Nullable(Price('null without a two-sided quote, as for an index')),
    ask: Nullable(Price()),
    mid: Price('the last price where a side is missing'),
    lastPrice: Price(),
    lastUpdate: Instant()
  }),
  answer: ({ quote: { symbol, quote } }) => {
    const { bid = Number.NaN, ask = Number.NaN, last, time } = quote
    const twoSided = bid <= ask
    return {
      ticker: symbol,
      bid: twoSided ? bid : undefined,
      ask: twoSided ? ask : undefined,
      mid: twoSided ? (bid + ask) / 2 : last,
      lastPrice: last,
      lastUpdate: isoInstant(time)
    }
  }
})
