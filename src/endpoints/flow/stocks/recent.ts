import Type from 'typebox'
import { rowsByPosition } from '../../../api/annotations.ts'
import { endpoint } from '../../../api/endpoint.ts'
import { Count, Name } from '../../../api/quantity.ts'
import { newestFirst } from '../../../flow/windows/newest-first.ts'
import { limit, ofStock } from '../tape-parameters.ts'
import { stockTrade } from '../trade.ts'

export const stockRecent = endpoint({
  id: 'flow.stocks_recent',
  path: '/v1/flow/stocks/{symbol}/recent',
  tag: 'flow',
  summary: 'Newest stock prints',
  description: 'The stock tape: newest prints with price, size, side by the quote at the time, and the quote itself.',
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['tapeSubject', 'stockPrints'],
  params: { ...ofStock, limit: limit(50) },
  replay: true,
  stream: false,
  response: Type.Object({
    symbol: Name('ticker'),
    count: Count('rows below'),
    totalAvailable: Count('the newest prints of the session that are kept'),
    trades: Type.Array(stockTrade.schema, rowsByPosition)
  }),
  answer: ({ stockPrints }, { symbol, limit: most }) => {
    const rows = newestFirst(stockPrints, {})
    const trades = rows.slice(0, most).map((row) => stockTrade.fill(stockPrints, row))
    return { symbol, count: trades.length, totalAvailable: rows.length, trades }
  }
})
