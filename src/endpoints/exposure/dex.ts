import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { inPayload } from '../../api/compatible-shape.ts'
import { endpoint } from '../../api/endpoint.ts'
import { Notional, Price } from '../../api/quantity.ts'
import { activeStrikes, netDex } from '../../exposure/by-strike.ts'
import { netExposures } from '../../exposure/net.ts'
import { dealerModel } from './dealer-model.ts'
import { scopeBlock } from './scope-block.ts'
import { bySet, sameDayGate, scopeAsked, scoped } from './scoped.ts'
import { checkWeight, weight, weightedBook, weightedEnvelope, weightedHeader, weightReads } from './weight.ts'

export const dex = endpoint({
  id: 'exposure.dex',
  path: '/v1/exposure/dex/{symbol}',
  tag: 'exposure',
  summary: 'Delta exposure by strike',
  description:
    'The delta that dealers carry and have hedged, by strike: how much stock stands behind the options. For judging what unwinds as contracts expire.',
  plan: 'basic',
  gates: [sameDayGate],
  needs: ['chain', 'sessionPositions'],
  params: { ...scoped, dealer_model: dealerModel, weight },
  ...bySet,
  check: checkWeight,
  positionsRead: weightReads,
  replay: true,
  stream: true,
  compatible: inPayload,
  response: Type.Object({
    ...weightedEnvelope,
    net_dex: Notional('USD delta of the option holders'),
    strikes: Type.Array(
      Type.Object(
        {
          strike: Price(),
          call_dex: Notional('0 or more'),
          put_dex: Notional('0 or less'),
          net_dex: Notional()
        },
        { title: 'DexStrikeRow' }
      ),
      rowKey('strike')
    ),
    scope: scopeBlock.schema
  }),
  answer: ({ chain, sessionPositions }, asked) => {
    const scope = scopeAsked(chain, asked, weightedBook(chain, asked, sessionPositions))
    return {
      ...weightedHeader(chain, asked),
      net_dex: netExposures(scope).dex,
      strikes: activeStrikes(scope).map((row) => ({
        strike: row.strike,
        call_dex: row.callDex,
        put_dex: row.putDex,
        net_dex: netDex(row)
      })),
      scope: scopeBlock.fill(scope, asked)
    }
  }
})
