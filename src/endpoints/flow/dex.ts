import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { Notional, Price } from '../../api/quantity.ts'
import { netDex } from '../../exposure/by-strike.ts'
import { netExposures } from '../../exposure/net.ts'
import { activeLiveStrikes } from './active-strikes.ts'
import { flowEnvelope, flowHeader } from './flow-envelope.ts'
import { flowScoped, flowScopeFor } from './flow-scope.ts'

export const flowDex = endpoint({
  id: 'flow.dex',
  path: '/v1/flow/dex/{symbol}',
  tag: 'flow',
  summary: 'Delta exposure by strike on currently estimated positions',
  description: 'The delta profile by strike with positions as estimated now rather than as published this morning.',
  plan: 'growth',
  sourceFault: 'upstream_unavailable',
  needs: ['chain', 'positions'],
  params: flowScoped,
  replay: true,
  stream: true,
  response: Type.Object({
    ...flowEnvelope,
    live_net_dex: Notional('USD delta of the option holders'),
    strikes: Type.Array(
      Type.Object(
        {
          strike: Price(),
          call_dex: Notional('0 or more', { minimum: 0 }),
          put_dex: Notional('0 or less', { maximum: 0 }),
          net_dex: Notional()
        },
        { title: 'FlowDexStrikeRow' }
      ),
      rowKey('strike')
    )
  }),
  answer: ({ chain, positions }, { expiry }) => {
    const scope = flowScopeFor(chain, positions, expiry)
    return {
      ...flowHeader(chain, positions, expiry),
      live_net_dex: netExposures(scope.live).dex,
      strikes: activeLiveStrikes(scope).map((row) => ({
        strike: row.strike,
        call_dex: row.callDex,
        put_dex: row.putDex,
        net_dex: netDex(row)
      }))
    }
  }
})
