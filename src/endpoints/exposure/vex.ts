import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { inPayload } from '../../api/compatible-shape.ts'
import { endpoint } from '../../api/endpoint.ts'
import { Notional, Price, Sentence } from '../../api/quantity.ts'
import { activeStrikes, netVex } from '../../exposure/by-strike.ts'
import { netExposures, vannaPerPoint } from '../../exposure/net.ts'
import { exposureGap, hasExpired } from '../../exposure/scope.ts'
import { vannaOfExpired } from '../../wording/expired.ts'
import { vannaReading } from '../../wording/exposure-readings.ts'
import { dealerModel } from './dealer-model.ts'
import { readingBlock } from './reading-block.ts'
import { scopeBlock } from './scope-block.ts'
import { bySet, sameDayGate, scopeAsked, scoped } from './scoped.ts'
import { checkWeight, weight, weightedBook, weightedEnvelope, weightedHeader, weightReads } from './weight.ts'

export const vex = endpoint({
  id: 'exposure.vex',
  path: '/v1/exposure/vex/{symbol}',
  tag: 'exposure',
  summary: 'Vanna exposure by strike',
  description:
    "How dealers' delta changes with volatility, by strike, for one vol point and for 1.00: what they must trade when volatility rises or falls without a move of spot.",
  plan: 'basic',
  gates: [sameDayGate],
  needs: ['chain', 'sessionPositions', 'distrust'],
  params: { ...scoped, dealer_model: dealerModel, weight },
  ...bySet,
  check: checkWeight,
  positionsRead: weightReads,
  replay: true,
  stream: true,
  compatible: inPayload,
  response: Type.Object({
    ...weightedEnvelope,
    net_vex: Notional('USD of delta gained per +1.00 of volatility'),
    net_vex_per_point: Notional('USD of delta gained per volatility point: net_vex / 100'),
    vex_interpretation: Sentence('how dealers react to rising volatility'),
    reading: readingBlock.schema,
    strikes: Type.Array(
      Type.Object(
        { strike: Price(), call_vex: Notional(), put_vex: Notional(), net_vex: Notional() },
        { title: 'VexStrikeRow' }
      ),
      rowKey('strike')
    ),
    scope: scopeBlock.schema
  }),
  answer: ({ chain, sessionPositions }, asked) => {
    const scope = scopeAsked(chain, asked, weightedBook(chain, asked, sessionPositions))
    const net = netExposures(scope)
    const perPoint = vannaPerPoint(net)
    return {
      ...weightedHeader(chain, asked),
      net_vex: net.vex,
      net_vex_per_point: perPoint,
      vex_interpretation: hasExpired(scope) ? vannaOfExpired : vannaReading(perPoint, exposureGap(scope)),
      reading: readingBlock.fill(asked.dealer_model),
      strikes: activeStrikes(scope).map((row) => ({
        strike: row.strike,
        call_vex: row.callVex,
        put_vex: row.putVex,
        net_vex: netVex(row)
      })),
      scope: scopeBlock.fill(scope, asked)
    }
  }
})
