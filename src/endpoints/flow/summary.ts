import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { Contracts, Count, Notional } from '../../api/quantity.ts'
import { direction, shift, withFlow } from './blocks.ts'
import { flowEnvelope, flowHeader } from './flow-envelope.ts'
import { dealerRiskOf, flowScoped, flowScopeFor } from './flow-scope.ts'

export const flowSummary = endpoint({
  id: 'flow.summary',
  path: '/v1/flow/summary/{symbol}',
  tag: 'flow',
  summary: "How the session's flow changed what dealers hold, in one line",
  description: "One line on what the session's flow did to dealers' gamma: direction, size and confidence.",
  plan: 'growth',
  sourceFault: 'upstream_unavailable',
  needs: ['chain', 'positions'],
  params: flowScoped,
  replay: true,
  stream: true,
  response: Type.Object({
    ...flowEnvelope,
    flow_direction: direction,
    intraday_oi_delta: Contracts("contracts that the session's flow is estimated to have opened, less those closed"),
    contracts_with_flow: withFlow,
    contracts_total: Count('option series in scope'),
    live_gex: Notional('on effective open interest, USD of delta gained per 1 % move of spot'),
    flow_gex_pct_shift: shift('flow_gex')
  }),
  answer: ({ chain, positions }, { expiry }) => {
    const scope = flowScopeFor(chain, positions, expiry)
    const { gex, direction } = dealerRiskOf(scope)
    return {
      ...flowHeader(chain, positions, expiry),
      flow_direction: direction,
      intraday_oi_delta: scope.totals.delta,
      contracts_with_flow: scope.totals.seriesWithFlow,
      contracts_total: scope.totals.series,
      live_gex: gex.live,
      flow_gex_pct_shift: gex.share
    }
  }
})
