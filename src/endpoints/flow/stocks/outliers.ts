import { endpoint } from '../../../api/endpoint.ts'
import { outlierList } from '../outlier.ts'
import { minTrades, outlierCount, windowMinutes } from '../tape-parameters.ts'

export const stockOutliers = endpoint({
  id: 'flow.stocks_outliers',
  path: '/v1/flow/stocks/outliers',
  tag: 'flow',
  summary: 'Most one-sided stock flow across symbols',
  description: 'Stocks whose flow is far more one-sided than usual, largest imbalance first.',
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['stockWindow'],
  minutesRead: (params) => params.windowMinutes,
  params: { limit: outlierCount, minTrades, windowMinutes },
  replay: true,
  stream: false,
  response: outlierList.schema,
  answer: ({ stockWindow }, asked) => outlierList.fill(stockWindow, asked, 1)
})
