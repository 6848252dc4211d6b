import { type ApiError, apiError, type ErrorCode } from '../../api/error.ts'

interface JsonTypes {
  readonly string: string
  readonly number: number
  readonly array: readonly unknown[]
  readonly object: object
}

type TypeName = keyof JsonTypes

/** The declared fields of a JSON object in a request; undefined for fields that were not sent. */
export type BodyFields<Types extends Readonly<Record<string, TypeName>>> = {
  readonly [Name in keyof Types]: JsonTypes[Types[Name]] | undefined
}

/** Error that names the place in the request body and says what is expected there. */
export function refusal(code: ErrorCode, place: string, must: string): ApiError {
  return apiError(code, `${place} must be ${must}`, { parameter: place })
}

/**
 * Reads the declared fields of a JSON object. Throws `invalid_body` if a value has another type, null included. Ignores
 * unknown fields.
 */
export function bodyFields<const Types extends Readonly<Record<string, TypeName>>>(
  json: unknown,
  place: string,
  types: Types
): BodyFields<Types> {
  if (typeOf(json) !== 'object') throw refusal('invalid_body', place, 'a JSON object')
  const record = json as Readonly<Record<string, unknown>>
  const fields: Record<string, unknown> = {}
  for (const [name, type] of Object.entries(types)) {
    const value = Object.hasOwn(record, name) ? record[name] : undefined
    if (value !== undefined && typeOf(value) !== type) throw refusal('invalid_body', within(place, name), article(type))
    fields[name] = value
  }
  return fields as BodyFields<Types>
}

/** Reads an array of numbers. Throws `invalid_body` if an element is not a number. */
export function numbersOf(array: readonly unknown[], place: string): readonly number[] {
  const stranger = array.findIndex((value) => typeof value !== 'number')
  if (stranger >= 0) throw refusal('invalid_body', `${place}[${stranger}]`, 'a number')
  return array as readonly number[]
}

/**
 * Returns the value if it lies within inclusive bounds, else undefined. JSON has no NaN, but 1e400 parses as Infinity.
 */
export function between(value: number | undefined, minimum: number, maximum: number): number | undefined {
  return value !== undefined && value >= minimum && value <= maximum ? value : undefined
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

function within(place: string, name: string): string {
  return place === wholeBody ? name : `${place}.${name}`
}

function article(type: TypeName): string {
  return type === 'array' || type === 'object' ? `an ${type}` : `a ${type}`
}

export const wholeBody = 'the body'
