import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { block } from '../../api/block.ts'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { Level, Note, Notional, Nullable, Price, Share, Words } from '../../api/quantity.ts'
import { dealerDelta } from '../../exposure/dealer-models.ts'
import { keyLevels } from '../../exposure/levels/key-levels.ts'
import { netExposures } from '../../exposure/net.ts'
import { gammaRegime, statedRegimes } from '../../exposure/regime.ts'
import { type Scope, withBook } from '../../exposure/scope.ts'
import { gammaFlip } from '../../exposure/spot-ladder/gamma-flip.ts'
import { customersBlock } from './customers-block.ts'
import { type ModelId, type Modelled, modelIds, modelled } from './dealer-model.ts'
import { charmUnit } from './net-block.ts'
import { setScope, setScopeSchema } from './scope-block.ts'
import { bySet, sameDayGate, scopeAsked, scoped } from './scoped.ts'

const modelBlock = block(
  Type.Object(
    {
      id: Words(...modelIds),
      available: Type.Boolean(),
      reason: Nullable(Note('why it is not available')),
      net_gex: Nullable(Notional('USD of delta gained per 1 % move of spot')),
      net_vex: Nullable(Notional('USD of delta gained per +1.00 of volatility')),
      net_chex: Nullable(Notional(charmUnit)),
      dealer_delta: Nullable(Notional('delta of the option book that the model gives to dealers, before any hedge')),
      gamma_flip: Nullable(Level()),
      regime: Nullable(Words(...statedRegimes)),
      call_wall: Nullable(Price()),
      put_wall: Nullable(Price())
    },
    { title: 'DealerModelTotals' }
  ),
  (whole: Scope, id: ModelId, model: Modelled) => {
    if ('reason' in model) return { ...nothing, id, available: false, reason: model.reason }
    const scope = withBook(whole, model.book)
    const { gex, vex, chex } = netExposures(scope)
    const { callWall, putWall } = keyLevels(scope)
    return {
      id,
      available: true,
      reason: undefined,
      net_gex: gex,
      net_vex: vex,
      net_chex: chex,
      dealer_delta: dealerDelta(scope),
      gamma_flip: gammaFlip(scope),
      regime: gammaRegime(scope),
      call_wall: callWall?.strike,
      put_wall: putWall?.strike
    }
  }
)

const nothing = {
  net_gex: undefined,
  net_vex: undefined,
  net_chex: undefined,
  dealer_delta: undefined,
  gamma_flip: undefined,
  regime: undefined,
  call_wall: undefined,
  put_wall: undefined
}

export const models = endpoint({
  id: 'exposure.models',
  path: '/v1/exposure/models/{symbol}',
  tag: 'exposure',
  summary: 'The same exposures under other assumptions about who holds what',
  description:
    'How much of a reading is the assumption on who holds what: net exposures and levels under each dealer model, with the reason where one is not available.',
  plan: 'growth',
  gates: [sameDayGate],
  needs: ['chain', 'sessionPositions', 'customers'],
  params: scoped,
  ...bySet,
  replay: true,
  stream: false,
  response: Type.Object({
    ...envelope,
    agreement: Nullable(
      Share('of the available models whose regime is that of the convention, which counts; null where that has none', {
        minimum: 0,
        maximum: 1
      })
    ),
    customers: customersBlock.schema,
    models: Type.Array(modelBlock.schema, { ...rowKey('id'), minItems: modelIds.length, maxItems: modelIds.length }),
    ...setScopeSchema
  }),
  answer: ({ chain, sessionPositions, customers }, asked) => {
    const scope = scopeAsked(chain, asked)
    const rows = modelIds.map((id) => modelBlock.fill(scope, id, modelled(chain, id, sessionPositions)))
    const regime = gammaRegime(scope)
    const available = rows.filter((row) => row.available)
    const agreeing = available.filter((row) => row.regime === regime)
    return {
      ...header(chain),
      agreement: regime === 'undetermined' ? undefined : agreeing.length / available.length,
      customers: customersBlock.fill(customers),
      models: rows,
      ...setScope(scope, asked)
    }
  }
})
