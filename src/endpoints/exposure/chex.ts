import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { inPayload } from '../../api/compatible-shape.ts'
import { endpoint } from '../../api/endpoint.ts'
import { Notional, Price, Sentence } from '../../api/quantity.ts'
import { activeStrikes, netChex } from '../../exposure/by-strike.ts'
import { netExposures } from '../../exposure/net.ts'
import { exposureGap, hasExpired } from '../../exposure/scope.ts'
import { netCharm } from '../../exposure/time-decay.ts'
import { charmOfExpired } from '../../wording/expired.ts'
import { charmReading } from '../../wording/exposure-readings.ts'
import { dealerModel } from './dealer-model.ts'
import { charmUnit } from './net-block.ts'
import { readingBlock } from './reading-block.ts'
import { scopeBlock } from './scope-block.ts'
import { bySet, sameDayGate, scopeAsked, scoped } from './scoped.ts'
import { checkWeight, weight, weightedBook, weightedEnvelope, weightedHeader, weightReads } from './weight.ts'

export const chex = endpoint({
  id: 'exposure.chex',
  path: '/v1/exposure/chex/{symbol}',
  tag: 'exposure',
  summary: 'Charm exposure by strike',
  description:
    "How dealers' delta changes as a calendar day passes, by strike: the hedging that time alone causes, strongest near expiration.",
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
    net_chex: Notional(charmUnit),
    chex_interpretation: Sentence('how dealers react to the passage of time'),
    reading: readingBlock.schema,
    strikes: Type.Array(
      Type.Object(
        { strike: Price(), call_chex: Notional(), put_chex: Notional(), net_chex: Notional() },
        { title: 'ChexStrikeRow' }
      ),
      rowKey('strike')
    ),
    scope: scopeBlock.schema
  }),
  answer: ({ chain, sessionPositions }, asked) => {
    const scope = scopeAsked(chain, asked, weightedBook(chain, asked, sessionPositions))
    return {
      ...weightedHeader(chain, asked),
      net_chex: netExposures(scope).chex,
      chex_interpretation: hasExpired(scope) ? charmOfExpired : charmReading(netCharm(scope), exposureGap(scope)),
      reading: readingBlock.fill(asked.dealer_model),
      strikes: activeStrikes(scope).map((row) => ({
        strike: row.strike,
        call_chex: row.callChex,
        put_chex: row.putChex,
        net_chex: netChex(row)
      })),
      scope: scopeBlock.fill(scope, asked)
    }
  }
})
