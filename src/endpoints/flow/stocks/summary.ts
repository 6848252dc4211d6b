import Type from 'typebox'
import { endpoint } from '../../../api/endpoint.ts'
import { Name, Shares } from '../../../api/quantity.ts'
import { sessionTotals } from '../../../flow/windows/session-totals.ts'
import { sessionSums } from '../session-sums.ts'
import { ofStock } from '../tape-parameters.ts'

const { schema, fill } = sessionSums(Shares)

export const stockTapeSummary = endpoint({
  id: 'flow.stocks_summary',
  path: '/v1/flow/stocks/{symbol}/summary',
  tag: 'flow',
  summary: 'Session totals of the stock tape',
  description: 'What traded today in the stock: prints, shares bought and sold, net, largest print.',
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['tapeSubject', 'stockTotals'],
  params: ofStock,
  replay: true,
  stream: true,
  response: Type.Object({ symbol: Name('ticker'), ...schema.properties }),
  answer: ({ stockTotals }, { symbol }) => ({ symbol, ...fill(sessionTotals(stockTotals)) })
})
