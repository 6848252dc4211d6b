import Type, { type TSchema } from 'typebox'
import type { Annotations } from './annotations.ts'

/**
 * Smallest and largest value of a response field. Each field declares a quantity, such as a price. The documentation
 * prints its unit and the serializer rounds by it, so endpoints never round.
 */
interface QuantityOptions extends Annotations {
  readonly minimum?: number
  readonly maximum?: number
  readonly 'x-score'?: 'data'
}

type Rounding = { readonly 'x-decimals': number } | { readonly 'x-significant': number }

const quantity =
  (unit: string, rounding: Rounding) =>
  (description?: string, options: QuantityOptions = {}) =>
    Type.Number({ ...(description && { description }), 'x-unit': unit, ...rounding, ...options })

export const Usd = quantity('usd', { 'x-decimals': 2 })
export const Notional = quantity('usd-notional', { 'x-decimals': 2 })
export const Price = quantity('price', { 'x-decimals': 4 })
/** A price level that was computed, such as the gamma flip. It has fewer decimals than a market price. */
export const Level = quantity('price', { 'x-decimals': 2 })
export const Percent = quantity('percent', { 'x-decimals': 4 })
export const Ratio = quantity('ratio', { 'x-decimals': 4 })
export const Share = quantity('fraction', { 'x-decimals': 4 })
export const Volatility = quantity('fraction', { 'x-decimals': 6 })
export const Greek = quantity('greek', { 'x-significant': 8 })
export const Hours = quantity('hours', { 'x-decimals': 4 })
export const Seconds = quantity('seconds', { 'x-decimals': 1 })
export const Sigmas = quantity('sigmas', { 'x-decimals': 4 })
export const IndexPoints = quantity('index-points', { 'x-decimals': 4 })
/** Total variance: volatility squared times years. The parameters of fitted smiles have as many decimals. */
export const Variance = quantity('total-variance', { 'x-decimals': 10 })
export const LogMoneyness = quantity('log-moneyness', { 'x-decimals': 10 })
export const YearFraction = quantity('years', { 'x-decimals': 10 })
export const Decimal = (decimals: number, unit: string, description?: string, options: QuantityOptions = {}) =>
  quantity(unit, { 'x-decimals': decimals })(description, options)
export const Digits = (digits: number, unit: string, description?: string, options: QuantityOptions = {}) =>
  quantity(unit, { 'x-significant': digits })(description, options)
/** A figure that the response repeats from the request. It is never rounded. */
export const Echo = (unit: string, description?: string) =>
  Type.Number({ ...(description && { description }), 'x-unit': unit })

const whole =
  (unit: string) =>
  (description?: string, options: QuantityOptions = {}) =>
    Type.Integer({ ...(description && { description }), 'x-unit': unit, ...options })

export const Contracts = whole('contracts')
export const Shares = whole('shares')
export const Count = whole('count')
export const Days = whole('days')
export const Score = (description?: string) => whole('score-0-100')(description, { minimum: 0, maximum: 100 })
/** A score of the data, or of what is concluded from them. It is never better than the quality of the chain. */
export const DataScore = (description?: string) =>
  whole('score-0-100')(description, { minimum: 0, maximum: 100, 'x-score': 'data' })

export const Timestamp = (description?: string, annotations: Annotations = {}) =>
  Type.String({ format: 'date-time', ...(description && { description }), ...annotations })
export const Day = (description?: string) => Type.String({ format: 'date', ...(description && { description }) })

/**
 * Kind of a text of a response, in `x-text`. A `sentence` concludes something from the chain: below the quality floor it
 * says instead that the data contradict themselves. A `note` explains the response, and a `name` is an identifier or code;
 * both stand whatever the data are. Texts with an enumeration or a format need no such mark.
 */
export const textKinds = ['sentence', 'note', 'name'] as const
const text = (kind: (typeof textKinds)[number], limits: { readonly minLength?: number }) => (description?: string) =>
  Type.String({ ...limits, ...(description && { description }), 'x-text': kind })
export const Sentence = text('sentence', { minLength: 1 })
export const Note = text('note', { minLength: 1 })
export const Name = text('name', {})

export const Words = <const Choices extends readonly string[]>(...choices: Choices) =>
  Type.Unsafe<Choices[number]>({ type: 'string', enum: choices })

/** A field that may have no value: null in responses, undefined in our code. */
export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/** Type that an answer function returns for a declared schema. It may return undefined where a response has null. */
export type Loose<T> = T extends null
  ? null | undefined
  : T extends readonly (infer Item)[]
    ? readonly Loose<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Loose<T[Key]> }
      : T
