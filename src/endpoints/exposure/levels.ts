import Type from 'typebox'
import { block } from '../../api/block.ts'
import { endpoint } from '../../api/endpoint.ts'
import type { Entitlement } from '../../api/plan.ts'
import { Level, Notional, Nullable, Price } from '../../api/quantity.ts'
import { keyLevels, sameDayMagnet } from '../../exposure/levels/key-levels.ts'
import { type Horizon, type HorizonLevels, levelsWithin } from '../../exposure/levels/levels-by-horizon.ts'
import { gammaFlip } from '../../exposure/spot-ladder/gamma-flip.ts'
import { bookFor, dealerModel, modelledEnvelope, modelledHeader, readsTape } from './dealer-model.ts'
import { scopeBlock } from './scope-block.ts'
import { bySet, sameDayGate, scopeAsked, scoped } from './scoped.ts'

const horizonBlock = block(
  Type.Object(
    {
      gamma_flip: Nullable(Level()),
      call_wall: Nullable(Price()),
      put_wall: Nullable(Price()),
      call_wall_above: Nullable(Price('call wall among the strikes at or above spot')),
      put_wall_below: Nullable(Price('put wall among the strikes at or below spot')),
      net_gex: Notional('USD of delta gained per 1 % move of spot')
    },
    { title: 'HorizonLevels' }
  ),
  ({ flip, levels: found, netGex }: HorizonLevels) => ({
    gamma_flip: flip,
    call_wall: found.callWall?.strike,
    put_wall: found.putWall?.strike,
    call_wall_above: found.callWallAbove?.strike,
    put_wall_below: found.putWallBelow?.strike,
    net_gex: netGex
  })
)

/**
 * Horizons of the levels, each with the entitlement that it requires. The requirements equal those for exposure sums.
 */
const horizons = {
  zero_dte: { horizon: 'zeroDte', opens: 'same_day' },
  week: { horizon: 'week', opens: 'full_chain' },
  month: { horizon: 'month', opens: 'full_chain' },
  all: { horizon: 'all', opens: 'full_chain' }
} as const satisfies Readonly<Record<string, { readonly horizon: Horizon; readonly opens: Entitlement }>>

type ByHorizon<Value> = { readonly [Name in keyof typeof horizons]: Value }
const perHorizon = <Value>(value: (of: (typeof horizons)[keyof typeof horizons]) => Value) =>
  Object.fromEntries(Object.entries(horizons).map(([name, of]) => [name, value(of)])) as ByHorizon<Value>

export const levels = endpoint({
  id: 'exposure.levels',
  path: '/v1/exposure/levels/{symbol}',
  tag: 'exposure',
  summary: 'Key levels derived from exposure',
  description:
    'The few prices that traders draw on a chart: gamma flip, call and put wall, largest gamma and open interest, magnet. Also by horizon: today, a week, a month, all.',
  plan: 'free',
  gates: [sameDayGate],
  varies: ['full_chain', 'same_day'],
  needs: ['chain', 'sessionPositions'],
  params: { ...scoped, dealer_model: dealerModel },
  ...bySet,
  positionsRead: readsTape,
  replay: true,
  stream: true,
  mainBlock: 'levels',
  response: Type.Object({
    ...modelledEnvelope,
    levels: Type.Object(
      {
        gamma_flip: Nullable(Level('above it dealers dampen moves, below it they amplify them')),
        max_positive_gamma: Nullable(Price('strike with the highest positive net gamma')),
        max_negative_gamma: Nullable(Price('strike with the most negative net gamma')),
        call_wall: Nullable(Price('strike with the highest call gamma: resistance')),
        put_wall: Nullable(Price('strike with the most negative put gamma: support')),
        highest_oi_strike: Nullable(Price('strike with the most open interest')),
        zero_dte_magnet: Nullable(Price('strike with the largest net gamma of what expires today')),
        call_wall_above: Nullable(Price('strike at or above spot with the highest call gamma')),
        put_wall_below: Nullable(Price('strike at or below spot with the most negative put gamma'))
      },
      { title: 'KeyLevels' }
    ),
    levels_by_scope: Type.Object(
      perHorizon(() => Nullable(horizonBlock.schema)),
      {
        title: 'LevelsByHorizon',
        description:
          'what expires today, within 7 days, within 35 days, ever; null where nothing live does, or below the plan that gex asks for it'
      }
    ),
    scope: scopeBlock.schema
  }),
  answer: ({ chain, sessionPositions }, asked, { caller }) => {
    const book = bookFor(chain, asked, sessionPositions)
    const scope = scopeAsked(chain, asked, book)
    const found = keyLevels(scope)
    return {
      ...modelledHeader(chain, asked),
      levels: {
        gamma_flip: gammaFlip(scope),
        max_positive_gamma: found.maxPositiveGamma?.strike,
        max_negative_gamma: found.maxNegativeGamma?.strike,
        call_wall: found.callWall?.strike,
        put_wall: found.putWall?.strike,
        highest_oi_strike: found.highestOi?.strike,
        zero_dte_magnet: sameDayMagnet(chain, book)?.strike,
        call_wall_above: found.callWallAbove?.strike,
        put_wall_below: found.putWallBelow?.strike
      },
      levels_by_scope: perHorizon(({ horizon, opens }) => {
        const within = caller.has(opens) ? levelsWithin(chain, horizon, book) : undefined
        return within && horizonBlock.fill(within)
      }),
      scope: scopeBlock.fill(scope, asked)
    }
  }
})
