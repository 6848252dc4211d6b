import Type, { type TSchema } from 'typebox'
import { apiError, type ErrorCode } from '../../api/error.ts'
import { type IsoDate, parseIsoDate } from '../../market/units.ts'
import type { Right } from '../../pricing/bsm.ts'
import { MAX_PRICE, MIN_PRICE, MIN_VOLATILITY, rights } from '../pricing/inputs.ts'
import { type BodyFields, between, bodyFields, refusal } from './body.ts'

const MAX_LEGS = 100
const MAX_CONTRACTS = 1e9
const MAX_VOLATILITY = 100
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

export const legErrors = [
  ...(['empty_legs', 'too_many_legs', 'invalid_action', 'invalid_type', 'invalid_strike', 'invalid_quantity'] as const),
  ...(['invalid_expiry', 'invalid_iv', 'invalid_spot', 'invalid_body'] as const)
]

export const legFields = {
  // No closed set: upper and lower case are accepted, and the response repeats what was sent.
  action: Type.Optional(Type.String({ default: 'buy', description: 'buy, sell, long or short in any case' })),
  type: Type.Optional(Type.String({ default: 'call', description: 'call, put, c or p in any case' })),
  strike: Type.Number({ minimum: MIN_PRICE, maximum: MAX_PRICE, 'x-unit': 'price' }),
  premium: Type.Number({ minimum: 0, maximum: MAX_PRICE, 'x-unit': 'usd per share' }),
  expiry: Type.String({ format: 'date' }),
  impliedVol: Type.Number({ minimum: MIN_VOLATILITY, maximum: MAX_VOLATILITY, 'x-unit': 'fraction' }),
  quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_CONTRACTS, default: 1, 'x-unit': 'contracts' }))
}

export const legsSchema = (leg: TSchema) => Type.Array(leg, { minItems: 1, maxItems: MAX_LEGS })

/**
 * Legs repeated in the response as the caller sent them. The serializer copies values behind allOf unchanged, unknown
 * fields included; documents name the leg itself.
 */
export const echoedLegs = (leg: TSchema) =>
  Type.Array(Type.Unsafe<unknown>({ allOf: [leg] }), { description: 'the legs as they were sent' })

/** A leg from the request body whose fields have the right JSON types, but whose values have not been checked. */
export type WrittenLeg = BodyFields<typeof legTypes> & { readonly place: string }

/** Checks the JSON types in all legs. No value is checked before all types are right. */
export function writtenLegs(legs: readonly unknown[] | undefined): readonly WrittenLeg[] {
  return (legs ?? []).map((leg, i) => ({ ...bodyFields(leg, `legs[${i}]`, legTypes), place: `legs[${i}]` }))
}

/** Throws if there are no legs or too many. */
export function checkCount(legs: readonly WrittenLeg[]): void {
  if (legs.length === 0) throw apiError('empty_legs')
  if (legs.length > MAX_LEGS) throw apiError('too_many_legs')
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

const price = (minimum: number) => `a number from ${minimum} to ${MAX_PRICE}`

/** Reads whether a leg is bought (1) or sold (-1). */
export const readSide = reader('action', 'invalid_action', 'buy, sell, long or short', ({ action }) =>
  meaning(sides, action ?? 'buy')
)
export const readRight = reader<Right>('type', 'invalid_type', 'call, put, c or p', ({ type }) =>
  meaning(rights, type ?? 'call')
)
export const readStrike = reader('strike', 'invalid_strike', price(MIN_PRICE), ({ strike }) =>
  between(strike, MIN_PRICE, MAX_PRICE)
)
export const readPremium = reader('premium', 'invalid_premium', price(0), ({ premium }) =>
  between(premium, 0, MAX_PRICE)
)
export const readQuantity = reader(
  'quantity',
  'invalid_quantity',
  `a whole number from 1 to ${MAX_CONTRACTS}`,
  ({ quantity = 1 }) => (Number.isInteger(quantity) ? between(quantity, 1, MAX_CONTRACTS) : undefined)
)
export const readExpiry = reader<IsoDate>('expiry', 'invalid_expiry', 'a date, yyyy-MM-dd', ({ expiry = '' }) =>
  parseIsoDate(expiry)
)
export const readVolatility = reader(
  'impliedVol',
  'invalid_iv',
  `a number from ${MIN_VOLATILITY} to ${MAX_VOLATILITY}, as a fraction (0.28 for 28 %)`,
  ({ impliedVol }) => between(impliedVol, MIN_VOLATILITY, MAX_VOLATILITY)
)
