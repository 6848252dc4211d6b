import Type from 'typebox'
import { endpoint } from '../../../api/endpoint.ts'
import { Count } from '../../../api/quantity.ts'
import { newestFirst } from '../../../flow/windows/newest-first.ts'
import { limit, ofStock } from '../tape-parameters.ts'
import { stockTrade } from '../trade.ts'

export const stockRecent = endpoint({
  id: 'flow.stocks_recent',
  path: '/v1/flow/stocks/{symbol}/recent',
  tag: 'flow',
  summary: 'Newest stock prints',
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['tapeSubject', 'stockPrints'],
  params: { ...ofStock, limit: limit(50) },
  replay: true,
  stream: false,
  response: Type.Object({
    symbol: Type.String({ description: 'ticker' }),
    count: Count('rows below'),
    totalAvailable: Count('the newest prints of the session that are kept'),
    trades: Type.Array(stockTrade.schema)
  }),
  answer: ({ stockPrints }, { symbol, limit: most }) => {
    const rows = newestFirst(stockPrints, {})
    const trades = rows.slice(0, most).map((row) => stockTrade.fill(stockPrints, row))
    return { symbol, count: trades.length, totalAvailable: rows.length, trades }
  }
})
