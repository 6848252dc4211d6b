import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { Notional, Price, Sentence } from '../../api/quantity.ts'
import { activeStrikes, netChex } from '../../exposure/by-strike.ts'
import { netExposures } from '../../exposure/net.ts'
import { exposureGap, hasExpired } from '../../exposure/scope.ts'
import { netCharm } from '../../exposure/time-decay.ts'
import { charmOfExpired } from '../../wording/expired.ts'
import { charmReading } from '../../wording/exposure-readings.ts'
import { withDistrust } from '../distrust.ts'
import { bookFor, dealerModel, modelledEnvelope, modelledHeader, readsTape } from './dealer-model.ts'
import { charmUnit } from './net-block.ts'
import { readingBlock } from './reading-block.ts'
import { scopeBlock } from './scope-block.ts'
import { sameDayGate, scoped, scopeFor } from './scoped.ts'

export const chex = endpoint({
  id: 'exposure.chex',
  path: '/v1/exposure/chex/{symbol}',
  tag: 'exposure',
  summary: 'Charm exposure by strike',
  plan: 'basic',
  gates: [sameDayGate],
  needs: ['chain', 'sessionPositions', 'distrust'],
  params: { ...scoped, dealer_model: dealerModel },
  positionsRead: readsTape,
  replay: true,
  stream: true,
  response: Type.Object({
    ...modelledEnvelope,
    net_chex: Notional(charmUnit),
    chex_interpretation: Sentence('how dealers react to the passage of time'),
    reading: readingBlock.schema,
    strikes: Type.Array(
      Type.Object({ strike: Price(), call_chex: Notional(), put_chex: Notional(), net_chex: Notional() }),
      rowKey('strike')
    ),
    scope: scopeBlock.schema
  }),
  answer: ({ chain, sessionPositions, distrust }, { expiration, ...asked }) => {
    const scope = scopeFor(chain, expiration, bookFor(chain, asked, sessionPositions))
    return {
      ...modelledHeader(chain, asked),
      net_chex: netExposures(scope).chex,
      chex_interpretation: withDistrust(
        hasExpired(scope) ? charmOfExpired : charmReading(netCharm(scope), exposureGap(scope)),
        distrust
      ),
      reading: readingBlock.fill(asked.dealer_model),
      strikes: activeStrikes(scope).map((row) => ({
        strike: row.strike,
        call_chex: row.callChex,
        put_chex: row.putChex,
        net_chex: netChex(row)
      })),
      scope: scopeBlock.fill(scope, expiration)
    }
  }
})
