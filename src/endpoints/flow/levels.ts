import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { liveLevelsBlock } from './blocks.ts'
import { flowEnvelope, flowHeader } from './flow-envelope.ts'
import { flowScoped, flowScopeFor } from './flow-scope.ts'

export const flowLevels = endpoint({
  id: 'flow.levels',
  path: '/v1/flow/levels/{symbol}',
  tag: 'flow',
  summary: 'Gamma flip, walls and max pain on currently estimated positions',
  description:
    "Walls, flip and max pain after the day's trading: published open interest plus the change that classified prints suggest.",
  plan: 'growth',
  sourceFault: 'upstream_unavailable',
  needs: ['chain', 'positions'],
  params: flowScoped,
  replay: true,
  stream: true,
  response: Type.Object({ ...flowEnvelope, ...liveLevelsBlock.schema.properties }),
  answer: ({ chain, positions }, { expiry }) => {
    const { live } = flowScopeFor(chain, positions, expiry)
    return { ...flowHeader(chain, positions, expiry), ...liveLevelsBlock.fill(live) }
  }
})
