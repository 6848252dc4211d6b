import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { Contracts, Level, Notional, Nullable, Price, Words } from '../../api/quantity.ts'
import { activeStrikes, byStrike, netGex } from '../../exposure/by-strike.ts'
import { netExposures } from '../../exposure/net.ts'
import { changesByStrike } from '../../exposure/open-interest/open-interest-change.ts'
import { gammaSign, gammaSigns } from '../../exposure/regime.ts'
import { atLeastOpenInterest, withBook } from '../../exposure/scope.ts'
import { gammaFlip } from '../../exposure/spot-ladder/gamma-flip.ts'
import { dealerModel } from './dealer-model.ts'
import { scopeBlock } from './scope-block.ts'
import { bySet, fullChainGate, minOi, sameDayGate, scopeAsked, scoped } from './scoped.ts'
import { checkWeight, weight, weightedBook, weightedEnvelope, weightedHeader, weightReads } from './weight.ts'

const change = (side: string) =>
  Nullable(Contracts(`change of ${side} open interest against the previous trading day; null without a snapshot of it`))

export const gex = endpoint({
  id: 'exposure.gex',
  path: '/v1/exposure/gex/{symbol}',
  tag: 'exposure',
  summary: 'Gamma exposure by strike',
  description:
    'How much delta dealers gain for a 1 % move of spot, contract by contract summed to strikes: the profile behind walls, flip and pinning. Calls count positive and puts negative, unless another dealer model is named. One expiration by `expiration`, small positions left out by `min_oi`.',
  plan: 'free',
  gates: [fullChainGate, sameDayGate],
  needs: ['chain', 'prior', 'sessionPositions'],
  params: { ...scoped, min_oi: minOi, dealer_model: dealerModel, weight },
  ...bySet,
  check: checkWeight,
  positionsRead: weightReads,
  replay: true,
  stream: true,
  response: Type.Object({
    ...weightedEnvelope,
    gamma_flip: Nullable(Level('spot at which net gamma exposure crosses zero, volatilities held')),
    net_gex: Notional('USD of delta gained per 1 % move of spot'),
    net_gex_label: Words(...gammaSigns),
    strikes: Type.Array(
      Type.Object(
        {
          strike: Price(),
          call_gex: Notional('0 or more by the convention'),
          put_gex: Notional('0 or less by the convention'),
          net_gex: Notional(),
          call_oi: Contracts(),
          put_oi: Contracts(),
          call_volume: Contracts(),
          put_volume: Contracts(),
          call_oi_change: change('call'),
          put_oi_change: change('put')
        },
        { title: 'GexStrikeRow' }
      ),
      rowKey('strike')
    ),
    scope: scopeBlock.schema
  }),
  answer: ({ chain, prior, sessionPositions }, asked) => {
    const published = atLeastOpenInterest(scopeAsked(chain, asked), asked.min_oi)
    const scope = withBook(published, weightedBook(chain, asked, sessionPositions))
    const openInterest = new Map(byStrike(published).map((row) => [row.strike, row]))
    const changes = prior && changesByStrike(published, prior)
    const net = netExposures(scope).gex
    return {
      ...weightedHeader(chain, asked),
      gamma_flip: gammaFlip(scope),
      net_gex: net,
      net_gex_label: gammaSign(net),
      strikes: activeStrikes(scope).map((row) => ({
        strike: row.strike,
        call_gex: row.callGex,
        put_gex: row.putGex,
        net_gex: netGex(row),
        call_oi: openInterest.get(row.strike)!.callOi,
        put_oi: openInterest.get(row.strike)!.putOi,
        call_volume: row.callVolume,
        put_volume: row.putVolume,
        call_oi_change: changes?.get(row.strike)?.call,
        put_oi_change: changes?.get(row.strike)?.put
      })),
      scope: scopeBlock.fill(scope, asked)
    }
  }
})
