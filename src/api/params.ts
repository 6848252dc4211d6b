import Type, { type TSchema } from 'typebox'
import { readSymbol } from '../market/security.ts'
import { type IsoDate, parseIsoDate, type Ticker } from '../market/units.ts'
import { apiError, type ErrorCode } from './error.ts'
import { readNumber, readWhole } from './number-text.ts'

export interface ParameterContext {
  readonly today: IsoDate
}

/** A query or path parameter of an endpoint: how it is documented and how its text is parsed. */
export interface Parameter<Value> {
  readonly in: 'path' | 'query'
  readonly otherName?: string
  readonly schema: TSchema
  readonly required: boolean
  readonly code: ErrorCode
  readonly missing: ErrorCode
  /** A valid text of the parameter, used in the documentation and by tests. */
  readonly example: string
  /** Parses the text of the parameter. Returns undefined for a text that is not allowed. */
  readonly read: (text: string, context: ParameterContext) => Value | undefined
  readonly absent: Value | undefined
  /** Writes a text so that texts that mean the same are equal. Without it, only equal texts count as equal. */
  readonly canonical?: (text: string) => string
  /** Names that are similar to that of the parameter but mean something else: they are no typing errors of it. */
  readonly unlike?: readonly string[]
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>
export type ValuesOf<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer Value> ? Value : never
}

const MAX_TEXT_LENGTH = 2000

/** Parses all parameters from path and query, or throws the error of the first invalid one. */
export function readParameters(
  parameters: Parameters,
  path: Readonly<Record<string, string | undefined>>,
  query: Readonly<Record<string, string | readonly string[] | undefined>>,
  context: ParameterContext
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  // The query comes first: a bad query (400) is reported before an unknown symbol (404).
  for (const place of ['query', 'path'] as const) {
    const sent = place === 'path' ? path : query
    for (const name in parameters) {
      const parameter = parameters[name]
      if (parameter.in === place) values[name] = readNamed(name, parameter, sent, context)
    }
  }
  return values
}

/**
 * Reads a parameter that callers may send under either of two names, such as expiration or expiry. If a caller sends
 * both, they must have the same value; the word 0dte equals today's date.
 */
function readNamed(
  name: string,
  parameter: Parameter<unknown>,
  sent: Readonly<Record<string, string | readonly string[] | undefined>>,
  context: ParameterContext
): unknown {
  const { otherName } = parameter
  if (otherName === undefined || sent[otherName] === undefined) {
    return readParameter(name, parameter, sent[name], context)
  }
  const value = readParameter(otherName, parameter, sent[otherName], context)
  if (sent[name] === undefined) return value
  refuseDifferent([name, readParameter(name, parameter, sent[name], context)], [otherName, value], parameter.code)
  return value
}

/** Throws if the caller sent one parameter under two names with different values. */
export function refuseDifferent(
  [name, value]: readonly [string, unknown],
  [otherName, otherValue]: readonly [string, unknown],
  code: ErrorCode
): void {
  if (value === otherValue) return
  throw apiError(code, `${name} and ${otherName} mean the same and are given as different values: give one of them`, {
    parameter: name
  })
}

function readParameter(
  name: string,
  parameter: Parameter<unknown>,
  text: string | readonly string[] | undefined,
  context: ParameterContext
): unknown {
  if (text === undefined || text === '') {
    if (parameter.required) throw refusal(name, parameter, 'it is missing', parameter.missing)
    if (text === '') throw refusal(name, parameter, 'it is empty')
    return parameter.absent
  }
  if (typeof text !== 'string') throw refusal(name, parameter, 'it is given more than once')
  if (text.length > MAX_TEXT_LENGTH) throw refusal(name, parameter, 'it is too long')
  const value = parameter.read(text, context)
  if (value === undefined) throw refusal(name, parameter, `it reads '${printable(text)}'`)
  return value
}

function refusal(name: string, parameter: Parameter<unknown>, found: string, code = parameter.code) {
  const { description } = parameter.schema as { description?: string }
  return apiError(code, `${name} must be ${description ?? 'a valid value'}; ${found}`, { parameter: name })
}

/**
 * Makes a caller's text safe to print in an error message: cuts it to `longest` characters and replaces all but
 * printable ASCII.
 */
export function printable(text: string, longest = 40): string {
  const plain = text.slice(0, longest + 1).replace(/[^\x20-\x7e]/g, '?')
  return plain.length > longest ? `${plain.slice(0, longest)}…` : plain
}

interface Options<Default> {
  readonly description: string
  readonly default?: Default
  readonly code?: ErrorCode
  readonly missing?: ErrorCode
  readonly required?: boolean
  /** A valid text, for the documentation. If it is left out, the kind of parameter provides one. */
  readonly example?: string
  readonly otherName?: string
}

function parameter<Value>(
  schema: TSchema,
  read: Parameter<Value>['read'],
  { code = 'invalid_parameter', missing = code, required = false, default: absent, otherName }: Options<Value>,
  example: string
): Parameter<Value> {
  const declared = { in: 'query', schema, required, code, missing, example, read, absent } as const
  return otherName === undefined ? declared : { ...declared, otherName }
}

/**
 * Parameter for a ticker in the path. An index may be written as SPX, ^SPX, .SPX, $SPX or I:SPX. A text that cannot be
 * a ticker is refused with the same error as an unknown ticker.
 */
export function symbolInPath(code: ErrorCode = 'symbol_not_found'): Parameter<Ticker> {
  const description = 'a ticker: 1 to 10 of A-Z 0-9 . - ^ ='
  return {
    ...parameter<Ticker>(Type.String({ maxLength: 10, description }), readSymbol, { description, code }, 'AAPL'),
    in: 'path',
    required: true
  }
}

/** This date is a monthly expiration. An example of a past date is the next constant. */
const EXAMPLE_DATE = '2026-08-21'
const EXAMPLE_PAST_DATE = '2026-06-30'

export function date(options: Options<IsoDate>): Parameter<IsoDate | undefined> {
  const schema = Type.String({ format: 'date', description: options.description })
  return parameter<IsoDate | undefined>(schema, parseIsoDate, options, options.example ?? EXAMPLE_DATE)
}

export function pastDate(options: Options<IsoDate>): Parameter<IsoDate | undefined> {
  const read: Parameter<IsoDate>['read'] = (text, { today }) => {
    const found = parseIsoDate(text)
    return found !== undefined && found <= today ? found : undefined
  }
  return parameter<IsoDate | undefined>(date(options).schema, read, options, options.example ?? EXAMPLE_PAST_DATE)
}

const readExpiration: Parameter<IsoDate>['read'] = (text, { today }) => (text === '0dte' ? today : parseIsoDate(text))
const anyExpiration = Type.String({ description: 'a date, yyyy-MM-dd, or the word 0dte', examples: ['0dte'] })

/**
 * Parameter for one expiration: a date, or the word 0dte for today in New York. If it is absent, the response covers
 * all expirations.
 */
export const expiration: Parameter<IsoDate | undefined> = parameter<IsoDate | undefined>(
  anyExpiration,
  readExpiration,
  { description: 'one expiration', code: 'invalid_expiration', otherName: 'expiry' },
  '0dte'
)

export const flowExpiry: Parameter<IsoDate | undefined> = parameter<IsoDate | undefined>(
  anyExpiration,
  readExpiration,
  { description: 'one expiration', code: 'invalid_expiry', otherName: 'expiration' },
  '0dte'
)

/** Parameter `expiry` that accepts a date, but not the word 0dte. */
export function expiry(description: string): Parameter<IsoDate | undefined> {
  return date({ description, code: 'invalid_expiry', otherName: 'expiration' })
}

interface Range {
  readonly minimum?: number
  readonly maximum?: number
  /** Exclusive lower bound: values must be greater than this. */
  readonly above?: number
  /** Moves a value outside the range to the nearest bound instead of refusing it. */
  readonly clamp?: boolean
}

function within(value: number | undefined, range: Range): number | undefined {
  const { minimum = -Infinity, maximum = Infinity, above = -Infinity, clamp = false } = range
  if (value === undefined) return undefined
  if (clamp) return Math.min(maximum, Math.max(minimum, value))
  return value >= minimum && value <= maximum && value > above ? value : undefined
}

/**
 * Example value for the documentation: the default if there is one, else the middle of the range, else the number
 * within the only bound that is nearest to 100.
 */
function exampleWithin({ minimum, maximum }: Range, options: Options<number>): string {
  if (options.example !== undefined) return options.example
  if (options.default !== undefined) return `${options.default}`
  if (minimum !== undefined && maximum !== undefined) return `${(minimum + maximum) / 2}`
  return `${Math.min(maximum ?? 100, Math.max(minimum ?? 100, 100))}`
}

function rangeSchema({ minimum, maximum, above, clamp }: Range, options: Options<number>) {
  return {
    description: clamp ? `${options.description} (values outside are moved to the nearest bound)` : options.description,
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(above !== undefined && { exclusiveMinimum: above }),
    ...(options.default !== undefined && { default: options.default })
  }
}

export function number(options: Options<number> & Range & { readonly default: number }): Parameter<number>
export function number(options: Options<number> & Range & { readonly required: true }): Parameter<number>
export function number(options: Options<number> & Range): Parameter<number | undefined>
export function number(options: Options<number> & Range): Parameter<number | undefined> {
  const read = (text: string) => within(readNumber(text), options)
  return parameter<number | undefined>(
    Type.Number(rangeSchema(options, options)),
    read,
    options,
    exampleWithin(options, options)
  )
}

export function whole(options: Options<number> & Range & { readonly default: number }): Parameter<number>
export function whole(options: Options<number> & Range): Parameter<number | undefined>
export function whole(options: Options<number> & Range): Parameter<number | undefined> {
  const read = (text: string) => within(readWhole(text), options)
  return parameter<number | undefined>(
    Type.Integer(rangeSchema(options, options)),
    read,
    options,
    exampleWithin(options, options)
  )
}

interface Choices<Value extends string> extends Options<Value> {
  readonly spelling: Readonly<Record<string, Value>>
  /** Value that any other text stands for. Without it, other texts are refused. */
  readonly otherwise?: Value
}

/** Parameter whose value is one of several words, documented in small letters. Capital letters make no difference. */
export function choice<Value extends string>(options: Choices<Value> & { readonly default: Value }): Parameter<Value>
export function choice<Value extends string>(options: Choices<Value>): Parameter<Value | undefined>
export function choice<Value extends string>(options: Choices<Value>): Parameter<Value | undefined> {
  const { spelling, otherwise, description } = options
  const words = Object.keys(spelling)
  const usual = words.find((word) => spelling[word] === options.default)
  const schema = Type.Unsafe<string>({
    type: 'string',
    enum: words,
    description,
    ...(usual !== undefined && { default: usual })
  })
  const read = (text: string) => {
    const word = text.toLowerCase()
    return Object.hasOwn(spelling, word) ? spelling[word] : otherwise
  }
  return parameter<Value | undefined>(schema, read, options, options.example ?? words[0])
}

/** Text parameter that is passed on unchanged; the endpoint parses the text itself. */
export function text(options: Options<string> & { readonly example: string }): Parameter<string | undefined> {
  const schema = Type.String({ description: options.description })
  return parameter<string | undefined>(schema, (value) => value, options, options.example)
}
