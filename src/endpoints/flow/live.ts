import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { Count, Notional, Score } from '../../api/quantity.ts'
import { magnetPin } from '../../exposure/pin/pin-risk.ts'
import { dealerRiskBlock, liveLevelsBlock, simulatorBlock, withFlow } from './blocks.ts'
import { flowEnvelope, flowHeader } from './flow-envelope.ts'
import { dealerRiskOf, flowScoped, flowScopeFor } from './flow-scope.ts'

export const flowLive = endpoint({
  id: 'flow.live',
  path: '/v1/flow/live/{symbol}',
  tag: 'flow',
  summary: 'All headline figures on currently estimated positions in one answer',
  description:
    "The figures of levels, dealer risk, open interest and pin risk after the day's flow in one request, for pages that poll.",
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['chain', 'positions', 'distrust'],
  params: flowScoped,
  replay: true,
  stream: true,
  response: Type.Object({
    ...flowEnvelope,
    contracts: Count('option series in scope'),
    contracts_with_flow: withFlow,
    ...simulatorBlock.schema.properties,
    live_gex: Notional('on effective open interest, USD of delta gained per 1 % move of spot'),
    live_gex_delta: Notional('net delta exposure on effective open interest, USD delta of the option holders'),
    ...liveLevelsBlock.schema.properties,
    live_pin_risk: Score(),
    flow_adjusted_dealer_risk: dealerRiskBlock.schema
  }),
  answer: ({ chain, positions }, { expiry }) => {
    const scope = flowScopeFor(chain, positions, expiry)
    const { live, totals } = scope
    const risk = dealerRiskOf(scope)
    return {
      ...flowHeader(chain, positions, expiry),
      contracts: totals.series,
      contracts_with_flow: totals.seriesWithFlow,
      ...simulatorBlock.fill(totals, positions),
      live_gex: risk.gex.live,
      live_gex_delta: risk.dex.live,
      ...liveLevelsBlock.fill(live),
      live_pin_risk: magnetPin(live).risk.score,
      flow_adjusted_dealer_risk: dealerRiskBlock.fill(risk, totals)
    }
  }
})
