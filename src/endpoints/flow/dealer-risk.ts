import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { dealerRiskBlock, withFlow } from './blocks.ts'
import { flowEnvelope, flowHeader } from './flow-envelope.ts'
import { dealerRiskOf, flowScoped, flowScopeFor } from './flow-scope.ts'

export const flowDealerRisk = endpoint({
  id: 'flow.dealer_risk',
  path: '/v1/flow/dealer-risk/{symbol}',
  tag: 'flow',
  summary: 'Dealer exposure on settled and on currently estimated positions, with the shift between them',
  description: 'Settled and live net gamma side by side, the shift between them and how much of it the flow explains.',
  plan: 'growth',
  sourceFault: 'upstream_unavailable',
  needs: ['chain', 'positions', 'distrust'],
  params: flowScoped,
  replay: true,
  stream: true,
  response: Type.Object({
    ...flowEnvelope,
    ...dealerRiskBlock.schema.properties,
    contracts_with_flow: withFlow
  }),
  answer: ({ chain, positions }, { expiry }) => {
    const scope = flowScopeFor(chain, positions, expiry)
    return {
      ...flowHeader(chain, positions, expiry),
      ...dealerRiskBlock.fill(dealerRiskOf(scope), scope.totals),
      contracts_with_flow: scope.totals.seriesWithFlow
    }
  }
})
