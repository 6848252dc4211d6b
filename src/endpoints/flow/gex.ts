import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { Contracts, Level, Notional, Nullable, Price, Words } from '../../api/quantity.ts'
import { netGex } from '../../exposure/by-strike.ts'
import { netExposures } from '../../exposure/net.ts'
import { changesByStrike } from '../../exposure/open-interest/open-interest-change.ts'
import { gammaSign, gammaSigns } from '../../exposure/regime.ts'
import { gammaFlip } from '../../exposure/spot-ladder/gamma-flip.ts'
import { activeLiveStrikes } from './active-strikes.ts'
import { flowEnvelope, flowHeader } from './flow-envelope.ts'
import { flowScoped, flowScopeFor } from './flow-scope.ts'

const change = (side: string) =>
  Nullable(
    Contracts(`change of official ${side} open interest against the previous session; null without one to compare with`)
  )

export const flowGex = endpoint({
  id: 'flow.gex',
  path: '/v1/flow/gex/{symbol}',
  tag: 'flow',
  summary: 'Gamma exposure by strike on currently estimated positions',
  description: 'The gamma profile by strike with positions as estimated now rather than as published this morning.',
  plan: 'growth',
  sourceFault: 'upstream_unavailable',
  needs: ['chain', 'prior', 'positions'],
  params: flowScoped,
  replay: true,
  stream: true,
  response: Type.Object({
    ...flowEnvelope,
    live_net_gex: Notional('USD of delta gained per 1 % move of spot'),
    live_net_gex_label: Words(...gammaSigns),
    live_gamma_flip: Nullable(Level('spot at which net gamma exposure crosses zero, volatilities held')),
    strikes: Type.Array(
      Type.Object(
        {
          strike: Price(),
          call_gex: Notional('0 or more', { minimum: 0 }),
          put_gex: Notional('0 or less', { maximum: 0 }),
          net_gex: Notional(),
          call_oi: Contracts('effective', { minimum: 0 }),
          put_oi: Contracts('effective', { minimum: 0 }),
          call_volume: Contracts('of the session', { minimum: 0 }),
          put_volume: Contracts('of the session', { minimum: 0 }),
          call_oi_change: change('call'),
          put_oi_change: change('put')
        },
        { title: 'FlowGexStrikeRow' }
      ),
      rowKey('strike')
    )
  }),
  answer: ({ chain, prior, positions }, { expiry }) => {
    const scope = flowScopeFor(chain, positions, expiry)
    const changes = prior && changesByStrike(scope.settled, prior)
    const net = netExposures(scope.live).gex
    return {
      ...flowHeader(chain, positions, expiry),
      live_net_gex: net,
      live_net_gex_label: gammaSign(net),
      live_gamma_flip: gammaFlip(scope.live),
      strikes: activeLiveStrikes(scope).map((row) => ({
        strike: row.strike,
        call_gex: row.callGex,
        put_gex: row.putGex,
        net_gex: netGex(row),
        call_oi: row.callOi,
        put_oi: row.putOi,
        call_volume: row.callVolume,
        put_volume: row.putVolume,
        call_oi_change: changes?.get(row.strike)?.call,
        put_oi_change: changes?.get(row.strike)?.put
      }))
    }
  }
})
