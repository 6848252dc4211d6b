import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { Count } from '../../api/quantity.ts'
import { simulatorBlock, withFlow } from './blocks.ts'
import { flowEnvelope, flowHeader } from './flow-envelope.ts'
import { flowScoped, flowScopeFor } from './flow-scope.ts'

const { underlying_price: _, ...opening } = flowEnvelope

export const flowOi = endpoint({
  id: 'flow.oi',
  path: '/v1/flow/oi/{symbol}',
  tag: 'flow',
  summary: "Official open interest, and the estimate after the session's flow",
  description: 'How much open interest the session added or closed by estimate, and how sure that is.',
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['chain', 'positions'],
  params: flowScoped,
  replay: true,
  stream: true,
  response: Type.Object({
    ...opening,
    ...simulatorBlock.schema.properties,
    contracts_total: Count('option series in scope'),
    contracts_with_flow: withFlow
  }),
  answer: ({ chain, positions }, { expiry }) => {
    const { totals } = flowScopeFor(chain, positions, expiry)
    return {
      ...flowHeader(chain, positions, expiry),
      ...simulatorBlock.fill(totals, positions),
      contracts_total: totals.series,
      contracts_with_flow: totals.seriesWithFlow
    }
  }
})
