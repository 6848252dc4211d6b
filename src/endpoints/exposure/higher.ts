import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { Notional, Price } from '../../api/quantity.ts'
import { higherByStrike, netHigher } from '../../exposure/higher-exposures.ts'
import { dealerModel } from './dealer-model.ts'
import { scopeBlock } from './scope-block.ts'
import { bySet, sameDayGate, scopeAsked, scoped } from './scoped.ts'
import { checkWeight, weight, weightedBook, weightedEnvelope, weightedHeader, weightReads } from './weight.ts'

export const higher = endpoint({
  id: 'exposure.higher',
  path: '/v1/exposure/higher/{symbol}',
  tag: 'exposure',
  summary: 'Speed, zomma and vomma exposure by strike',
  description:
    'How the gamma and the vega of dealers change themselves: gamma with price (speed) and with volatility (zomma), vega with volatility (vomma), by strike. For judging how long a gamma reading lasts.',
  plan: 'alpha',
  gates: [sameDayGate],
  needs: ['chain', 'sessionPositions'],
  params: { ...scoped, dealer_model: dealerModel, weight },
  ...bySet,
  check: checkWeight,
  positionsRead: weightReads,
  replay: true,
  stream: true,
  response: Type.Object({
    ...weightedEnvelope,
    net_speed: Notional('USD of gamma exposure gained per 1 % rise of spot'),
    net_zomma: Notional('USD of gamma exposure gained per volatility point'),
    net_vomma: Notional('USD of vega per point gained per volatility point'),
    strikes: Type.Array(
      Type.Object(
        {
          strike: Price(),
          call_speed: Notional(),
          put_speed: Notional(),
          net_speed: Notional(),
          call_zomma: Notional(),
          put_zomma: Notional(),
          net_zomma: Notional(),
          call_vomma: Notional(),
          put_vomma: Notional(),
          net_vomma: Notional()
        },
        { title: 'HigherStrikeRow' }
      ),
      { ...rowKey('strike'), description: 'strikes at which dealers hold priced contracts' }
    ),
    scope: scopeBlock.schema
  }),
  answer: ({ chain, sessionPositions }, asked) => {
    const scope = scopeAsked(chain, asked, weightedBook(chain, asked, sessionPositions))
    return {
      ...weightedHeader(chain, asked),
      net_speed: netHigher(scope, 'speed'),
      net_zomma: netHigher(scope, 'zomma'),
      net_vomma: netHigher(scope, 'vomma'),
      strikes: higherByStrike(scope).map(({ strike, call, put }) => ({
        strike,
        call_speed: call.speed,
        put_speed: put.speed,
        net_speed: call.speed + put.speed,
        call_zomma: call.zomma,
        put_zomma: put.zomma,
        net_zomma: call.zomma + put.zomma,
        call_vomma: call.vomma,
        put_vomma: put.vomma,
        net_vomma: call.vomma + put.vomma
      })),
      scope: scopeBlock.fill(scope, asked)
    }
  }
})
