import Type from 'typebox'
import { rowsByPosition } from '../../../api/annotations.ts'
import { endpoint } from '../../../api/endpoint.ts'
import { Count, Name } from '../../../api/quantity.ts'
import { newestFirst } from '../../../flow/windows/newest-first.ts'
import { expiryAsked } from '../expiry-asked.ts'
import { limit, ofOptions } from '../tape-parameters.ts'
import { optionTrade } from '../trade.ts'

export const optionRecent = endpoint({
  id: 'flow.options_recent',
  path: '/v1/flow/options/{symbol}/recent',
  tag: 'flow',
  summary: 'Newest option prints of an underlying',
  description: 'The option tape: newest prints with price, size, side by the quote at the time, and the quote itself.',
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['tapeSubject', 'optionPrints'],
  params: { ...ofOptions, limit: limit(50) },
  replay: true,
  stream: false,
  response: Type.Object({
    symbol: Name('underlying ticker'),
    expiry: expiryAsked,
    count: Count('rows below'),
    totalAvailable: Count('of the newest prints of the session that are kept, how many are in scope'),
    trades: Type.Array(optionTrade.schema, rowsByPosition)
  }),
  answer: ({ optionPrints }, { symbol, expiry, limit: most }) => {
    const rows = newestFirst(optionPrints, { expiry })
    const trades = rows.slice(0, most).map((row) => optionTrade.fill(optionPrints, row))
    return { symbol, expiry, count: trades.length, totalAvailable: rows.length, trades }
  }
})
