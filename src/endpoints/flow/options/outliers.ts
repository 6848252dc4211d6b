import { endpoint } from '../../../api/endpoint.ts'
import { CONTRACT_SIZE } from '../../../market/chain.ts'
import { outlierList } from '../outlier.ts'
import { minTrades, outlierCount, windowMinutes } from '../tape-parameters.ts'

export const optionOutliers = endpoint({
  id: 'flow.options_outliers',
  path: '/v1/flow/options/outliers',
  tag: 'flow',
  summary: 'Most one-sided option flow across symbols',
  description: 'Underlyings whose option flow is far more one-sided than usual, largest imbalance first.',
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['optionWindow'],
  minutesRead: (params) => params.windowMinutes,
  params: { limit: outlierCount, minTrades, windowMinutes },
  replay: true,
  stream: false,
  response: outlierList.schema,
  answer: ({ optionWindow }, asked) => outlierList.fill(optionWindow, asked, CONTRACT_SIZE)
})
