import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { Decimal, Digits, Nullable } from '../../api/quantity.ts'
import { breakevens, evenlySpaced, type Leg, pnlAtExpiry, pnlExtremes } from '../../pricing/structures/structure.ts'
import { MAX_PRICE } from '../pricing/inputs.ts'
import { bodyFields, refusal, wholeBody } from './body.ts'
import {
  checkCount,
  echoedLegs,
  legErrors,
  legFields,
  legsSchema,
  readExpiry,
  readPremium,
  readQuantity,
  readRight,
  readSide,
  readStrike,
  readVolatility,
  type WrittenLeg,
  writtenLegs
} from './legs.ts'
import { type DatedLeg, type Scenarios, scenarioGridBlock, scenariosOf, scenariosSchema } from './scenarios.ts'
import { utcDate } from './valuation.ts'

const MAX_POINTS = 2001
const DEFAULT_POINTS = 81
/** A price range narrower than this fraction of its upper end counts as empty, because both ends would print alike. */
const MIN_RANGE = 1e-9

const leg = Type.Object(
  {
    ...legFields,
    expiry: Type.Optional(legFields.expiry),
    impliedVol: Type.Optional(legFields.impliedVol)
  },
  { title: 'PnlLeg' }
)

interface Body {
  readonly echo: readonly unknown[]
  readonly legs: readonly Leg[]
  /** Underlying prices of the profit curve, USD. */
  readonly spots: readonly number[]
  readonly scenarios: { readonly legs: readonly DatedLeg[]; readonly terms: Scenarios } | undefined
}

/**
 * Checks the request body: first all JSON types, then the legs in order, then what scenarios require of legs, and last
 * the scenarios.
 */
function readBody(json: unknown): Body {
  const body = bodyFields(json, wholeBody, {
    legs: 'array',
    minUnderlying: 'number',
    maxUnderlying: 'number',
    points: 'number',
    scenarios: 'object'
  })
  const written = writtenLegs(body.legs)
  const readTerms = body.scenarios && scenariosOf(body.scenarios)
  for (const name of ['minUnderlying', 'maxUnderlying'] as const) {
    if ((body[name] ?? 0) > MAX_PRICE) throw refusal('invalid_body', name, `a number up to ${MAX_PRICE}`)
  }
  const { points = DEFAULT_POINTS } = body
  if (!Number.isInteger(points)) throw refusal('invalid_body', 'points', 'a whole number')
  checkCount(written)
  const legs = written.map(readLeg)
  return {
    echo: body.legs ?? [],
    legs,
    spots: curveSpots(legs, body.minUnderlying, body.maxUnderlying, points),
    scenarios: readTerms ? { legs: written.map(datedLeg), terms: readTerms() } : refuseUnreadable(written)
  }
}

function readLeg(written: WrittenLeg): Leg {
  const side = readSide(written)
  const right = readRight(written)
  const strike = readStrike(written)
  const premium = readPremium(written)
  return { right, strike, premium, quantity: side * readQuantity(written) }
}

function datedLeg(written: WrittenLeg): DatedLeg {
  return { ...readLeg(written), expiry: readExpiry(written), sigma: readVolatility(written) }
}

/**
 * Throws if a leg's expiry or volatility cannot be parsed. Without scenarios both are optional, but the response
 * repeats those that were sent.
 */
function refuseUnreadable(legs: readonly WrittenLeg[]): undefined {
  for (const written of legs) {
    if (written.expiry !== undefined) readExpiry(written)
    if (written.impliedVol !== undefined) readVolatility(written)
  }
}

/**
 * Underlying prices at which the profit curve is computed. By default they run from 0.7 times the lowest strike to 1.3
 * times the highest.
 */
function curveSpots(legs: readonly Leg[], minimum: number | undefined, maximum: number | undefined, points: number) {
  const from = Math.max(0, minimum ?? Number.NaN)
  const to = maximum ?? Number.NaN
  const count = Math.min(MAX_POINTS, Math.max(2, points))
  if (to - from > MIN_RANGE * to) return evenlySpaced(from, to, count)
  const strikes = legs.map(({ strike }) => strike)
  return evenlySpaced(0.7 * Math.min(...strikes), 1.3 * Math.max(...strikes), count)
}

const amount = (description?: string) => Decimal(6, 'usd per share', description)
const exactPrice = (description?: string) => Digits(15, 'price', description, { minimum: 0 })

export const structuresPnl = endpoint({
  id: 'structures.pnl',
  path: '/v1/structures/pnl',
  tag: 'structures',
  summary: 'P&L of a multi-leg structure at expiry, optionally over spot, volatility and time',
  description:
    'Profit and loss of up to 100 legs at expiry over a range of prices, with breakevens and extremes; with `scenarios` also before expiry, over shocks of spot, volatility and time. No market data is used.',
  plan: 'basic',
  needs: ['now'],
  params: {},
  body: {
    schema: Type.Object({
      legs: legsSchema(leg),
      minUnderlying: Type.Optional(Type.Number({ maximum: MAX_PRICE, description: 'below 0 counts as 0' })),
      maxUnderlying: Type.Optional(
        Type.Number({ maximum: MAX_PRICE, description: 'not above minUnderlying: the range follows the strikes' })
      ),
      points: Type.Optional(
        Type.Integer({ default: DEFAULT_POINTS, description: '2 to 2001, moved there from outside' })
      ),
      scenarios: Type.Optional(scenariosSchema)
    }),
    example: {
      legs: [
        { action: 'buy', type: 'call', strike: 100, premium: 3.2, quantity: 1 },
        { action: 'sell', type: 'call', strike: 110, premium: 1.1, quantity: 1 }
      ],
      minUnderlying: 80,
      maxUnderlying: 130,
      points: 81
    },
    read: readBody
  },
  errors: [...legErrors, 'invalid_premium', 'invalid_scenarios'],
  replay: false,
  stream: false,
  response: Type.Object({
    legs: echoedLegs(leg),
    pnl_curve: Type.Array(Type.Object({ underlying: exactPrice(), pnl: amount('at expiry') }, { title: 'PnlPoint' }), {
      ...rowKey('underlying'),
      minItems: 2
    }),
    breakevens: Type.Array(exactPrice('where profit at expiry is 0')),
    max_profit: Nullable(amount('null where there is no limit')),
    max_loss: Nullable(amount('null where there is no limit')),
    scenario_grid: Type.Optional(scenarioGridBlock.schema)
  }),
  answer: ({ now }, _, { body }) => {
    const { echo, legs, spots, scenarios } = body
    const { maxProfit, maxLoss } = pnlExtremes(legs)
    return {
      legs: echo,
      pnl_curve: spots.map((spot) => ({ underlying: spot, pnl: pnlAtExpiry(legs, spot) })),
      breakevens: breakevens(legs),
      max_profit: maxProfit,
      max_loss: maxLoss,
      ...(scenarios && {
        scenario_grid: scenarioGridBlock.fill(scenarios.legs, scenarios.terms, scenarios.terms.today ?? utcDate(now))
      })
    }
  }
})
