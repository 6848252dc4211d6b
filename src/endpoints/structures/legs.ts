import Type, { type TSchema } from 'typebox'
import { apiError, type ErrorCode } from '../../api/error.ts'
import { type IsoDate, parseIsoDate } from '../../market/units.ts'
import type { Right } from '../../pricing/bsm.ts'
import { highestPrice, lowestPrice, lowestVolatility, rights } from '../pricing/inputs.ts'
import { between, type Fields, fieldsOf, refusal } from './body.ts'

const mostLegs = 100
const mostContracts = 1e9
const highestVolatility = 100
const sides: Readonly<Record<string, 1 | -1>> = { buy: 1, long: 1, sell: -1, short: -1 }

const legTypes = {
  action: 'string',
  type: 'string',
  strike: 'number',
  premium: 'number',
  expiry: 'string',
  impliedVol: 'number',
  quantity: 'number'
} as const

/** What a body with legs may be refused for, whatever it is for. */
export const legErrors = [
  ...(['empty_legs', 'too_many_legs', 'invalid_action', 'invalid_type', 'invalid_strike', 'invalid_quantity'] as const),
  ...(['invalid_expiry', 'invalid_iv', 'invalid_spot', 'invalid_body'] as const)
]

/** The schemas of the fields of a leg; an endpoint takes those it knows. */
export const legFields = {
  action: Type.Optional(
    Type.String({
      pattern: '^([Bb][Uu][Yy]|[Ss][Ee][Ll][Ll]|[Ll][Oo][Nn][Gg]|[Ss][Hh][Oo][Rr][Tt])$',
      default: 'buy',
      description: 'buy, sell, long or short in any case'
    })
  ),
  type: Type.Optional(
    Type.String({
      pattern: '^([Cc]|[Pp]|[Cc][Aa][Ll][Ll]|[Pp][Uu][Tt])$',
      default: 'call',
      description: 'call, put, c or p in any case'
    })
  ),
  strike: Type.Number({ minimum: lowestPrice, maximum: highestPrice, 'x-unit': 'price' }),
  premium: Type.Number({ minimum: 0, maximum: highestPrice, 'x-unit': 'usd per share' }),
  expiry: Type.String({ format: 'date' }),
  impliedVol: Type.Number({ minimum: lowestVolatility, maximum: highestVolatility, 'x-unit': 'fraction' }),
  quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: mostContracts, default: 1, 'x-unit': 'contracts' }))
}

export const legsSchema = (leg: TSchema) => Type.Array(leg, { minItems: 1, maxItems: mostLegs })

/** The legs as they were sent. The serialiser prints what stands behind allOf untouched, unknown fields included. */
export const echoedLegs = (leg: TSchema) =>
  Type.Array(Type.Unsafe<unknown>({ allOf: [leg] }), { description: 'the legs as they were sent' })

/** A leg whose JSON types are right and whose values are still to be read. */
export type WrittenLeg = Fields<typeof legTypes> & { readonly place: string }

/** The legs of a body with their JSON types checked, before any value is. */
export function writtenLegs(legs: readonly unknown[] | undefined): readonly WrittenLeg[] {
  return (legs ?? []).map((leg, i) => ({ ...fieldsOf(leg, `legs[${i}]`, legTypes), place: `legs[${i}]` }))
}

/** Refuses no legs and too many. */
export function checkCount(legs: readonly WrittenLeg[]): void {
  if (legs.length === 0) throw apiError('empty_legs')
  if (legs.length > mostLegs) throw apiError('too_many_legs')
}

function reader<Value>(
  field: keyof typeof legTypes,
  code: ErrorCode,
  must: string,
  read: (leg: WrittenLeg) => Value | undefined
) {
  return (leg: WrittenLeg): Value => {
    const value = read(leg)
    if (value === undefined) throw refusal(code, `${leg.place}.${field}`, must)
    return value
  }
}

function meaning<Value>(words: Readonly<Record<string, Value>>, word: string): Value | undefined {
  const plain = word.toLowerCase()
  return Object.hasOwn(words, plain) ? words[plain] : undefined
}

const price = (minimum: number) => `a number from ${minimum} to ${highestPrice}`

/** 1 for a leg bought, -1 for one sold. */
export const readSide = reader('action', 'invalid_action', 'buy, sell, long or short', ({ action }) =>
  meaning(sides, action ?? 'buy')
)
export const readRight = reader<Right>('type', 'invalid_type', 'call, put, c or p', ({ type }) =>
  meaning(rights, type ?? 'call')
)
export const readStrike = reader('strike', 'invalid_strike', price(lowestPrice), ({ strike }) =>
  between(strike, lowestPrice, highestPrice)
)
export const readPremium = reader('premium', 'invalid_premium', price(0), ({ premium }) =>
  between(premium, 0, highestPrice)
)
export const readQuantity = reader(
  'quantity',
  'invalid_quantity',
  `a whole number from 1 to ${mostContracts}`,
  ({ quantity = 1 }) => (Number.isInteger(quantity) ? between(quantity, 1, mostContracts) : undefined)
)
export const readExpiry = reader<IsoDate>('expiry', 'invalid_expiry', 'a date, yyyy-MM-dd', ({ expiry = '' }) =>
  parseIsoDate(expiry)
)
export const readVolatility = reader(
  'impliedVol',
  'invalid_iv',
  `a number from ${lowestVolatility} to ${highestVolatility}, as a fraction (0.28 for 28 %)`,
  ({ impliedVol }) => between(impliedVol, lowestVolatility, highestVolatility)
)
