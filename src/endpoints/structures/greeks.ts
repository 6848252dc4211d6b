import Type from 'typebox'
import { moment } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { Day, Decimal, Echo, Timestamp } from '../../api/quantity.ts'
import type { ExerciseStyle } from '../../market/security.ts'
import { epochDay, isoInstant } from '../../market/units.ts'
import { americanGreeks } from '../../pricing/american/american-option.ts'
import { greeks, type Option } from '../../pricing/bsm.ts'
import { type StructureGreeks, structureGreeks } from '../../pricing/structures/structure-greeks.ts'
import { MAX_PRICE, MIN_PRICE, printedGreeks, twoBoundaries } from '../pricing/inputs.ts'
import { between, bodyFields, refusal, wholeBody } from './body.ts'
import {
  checkCount,
  echoedLegs,
  legErrors,
  legFields,
  legsSchema,
  readExpiry,
  readQuantity,
  readRight,
  readSide,
  readStrike,
  readVolatility,
  type WrittenLeg,
  writtenLegs
} from './legs.ts'
import { readValuation, utcDate, valuationFields, valuationTypes } from './valuation.ts'

const { premium: _premium, ...fields } = legFields
const leg = Type.Object(fields, { title: 'GreeksLeg' })

/** Checks the request body: first all JSON types, then the spot, the legs in order, and the rest. */
function readBody(json: unknown) {
  const body = bodyFields(json, wholeBody, {
    legs: 'array',
    spot: 'number',
    exercise: 'string',
    ...valuationTypes
  })
  const written = writtenLegs(body.legs)
  checkCount(written)
  const spot = between(body.spot, MIN_PRICE, MAX_PRICE)
  if (spot === undefined) throw refusal('invalid_spot', 'spot', `a number from ${MIN_PRICE} to ${MAX_PRICE}`)
  const legs = written.map(readLeg)
  return {
    spot,
    echo: body.legs ?? [],
    legs,
    exercise: readExercise(body.exercise),
    ...readValuation(body, '', 'invalid_today', 'invalid_body')
  }
}

/** Computes the greeks of a leg, by exercise style. */
const greeksUnder: Readonly<Record<ExerciseStyle, (option: Option) => StructureGreeks>> = {
  european: greeks,
  american: (option) => {
    const found = americanGreeks(option)
    if (found === undefined) throw twoBoundaries('invalid_body')
    return found
  }
}

function readExercise(written = 'european'): ExerciseStyle {
  if (written === 'european' || written === 'american') return written
  throw refusal('invalid_body', 'exercise', 'european or american')
}

function readLeg(written: WrittenLeg) {
  const side = readSide(written)
  const right = readRight(written)
  const strike = readStrike(written)
  const sigma = readVolatility(written)
  const expiry = readExpiry(written)
  return { right, strike, sigma, expiry, quantity: side * readQuantity(written) }
}

export const structuresGreeks = endpoint({
  id: 'structures.greeks',
  path: '/v1/structures/greeks',
  tag: 'structures',
  summary: 'Summed greeks of a multi-leg structure',
  description: 'Greeks of each leg and of the position together, at a spot and a date. No market data is used.',
  plan: 'basic',
  needs: ['now'],
  params: {},
  body: {
    schema: Type.Object({
      legs: legsSchema(leg),
      spot: Type.Number({ minimum: MIN_PRICE, maximum: MAX_PRICE }),
      exercise: Type.Optional(
        Type.Enum(['european', 'american'], { default: 'european', description: 'at expiry alone, or on any day' })
      ),
      ...valuationFields
    }),
    example: {
      legs: [
        { action: 'buy', type: 'call', strike: 100, expiry: '2026-07-17', impliedVol: 0.28, quantity: 1 },
        { action: 'sell', type: 'call', strike: 110, expiry: '2026-07-17', impliedVol: 0.25, quantity: 1 }
      ],
      spot: 102.5,
      today: '2026-06-05',
      rate: 0.045,
      dividendYield: 0.013
    },
    read: readBody
  },
  errors: [...legErrors, 'invalid_today'],
  replay: false,
  stream: false,
  response: Type.Object({
    spot: Echo('price'),
    as_of: Timestamp('time of the request', moment),
    valuation_date: Day('the date the legs are valued on'),
    rate: Echo('fraction'),
    dividend_yield: Echo('fraction'),
    legs: echoedLegs(leg),
    position_greeks: Type.Object(
      {
        delta: Decimal(6, 'greek'),
        gamma: Decimal(6, 'greek'),
        theta: Decimal(6, 'usd-per-day', 'per calendar day passing'),
        vega: Decimal(6, 'usd per vol point'),
        rho: Decimal(6, 'usd per 1.00 rate'),
        vanna: Decimal(6, 'per 1.00 vol'),
        charm: Decimal(6, 'delta-per-day', 'per day of time to expiry: the sign is opposite to that of theta')
      },
      { title: 'PositionGreeks' }
    )
  }),
  answer: ({ now }, _parameters, { body }) => {
    const { spot, rate, dividendYield, exercise, echo } = body
    const today = body.today ?? utcDate(now)
    const legs = body.legs.map((leg) => ({ ...leg, days: epochDay(leg.expiry) - epochDay(today) }))
    const sum = structureGreeks(legs, { spot, rate, dividendYield }, greeksUnder[exercise])
    return {
      spot,
      as_of: isoInstant(now),
      valuation_date: today,
      rate,
      dividend_yield: dividendYield,
      legs: echo,
      position_greeks: printedGreeks(sum)
    }
  }
})
