import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { Notional, Price } from '../../api/quantity.ts'
import { activeStrikes, netDex } from '../../exposure/by-strike.ts'
import { netExposures } from '../../exposure/net.ts'
import { bookFor, dealerModel, modelledEnvelope, modelledHeader, readsTape } from './dealer-model.ts'
import { scopeBlock } from './scope-block.ts'
import { sameDayGate, scoped, scopeFor } from './scoped.ts'

export const dex = endpoint({
  id: 'exposure.dex',
  path: '/v1/exposure/dex/{symbol}',
  tag: 'exposure',
  summary: 'Delta exposure by strike',
  plan: 'basic',
  gates: [sameDayGate],
  needs: ['chain', 'sessionPositions'],
  params: { ...scoped, dealer_model: dealerModel },
  positionsRead: readsTape,
  replay: true,
  stream: true,
  response: Type.Object({
    ...modelledEnvelope,
    net_dex: Notional('USD delta of the option holders'),
    strikes: Type.Array(
      Type.Object({
        strike: Price(),
        call_dex: Notional('0 or more'),
        put_dex: Notional('0 or less'),
        net_dex: Notional()
      }),
      rowKey('strike')
    ),
    scope: scopeBlock.schema
  }),
  answer: ({ chain, sessionPositions }, { expiration, ...asked }) => {
    const scope = scopeFor(chain, expiration, bookFor(chain, asked, sessionPositions))
    return {
      ...modelledHeader(chain, asked),
      net_dex: netExposures(scope).dex,
      strikes: activeStrikes(scope).map((row) => ({
        strike: row.strike,
        call_dex: row.callDex,
        put_dex: row.putDex,
        net_dex: netDex(row)
      })),
      scope: scopeBlock.fill(scope, expiration)
    }
  }
})
