import { type ApiError, apiError, type ErrorCode } from '../../api/error.ts'

/** The JSON types a field of a body may be declared with. */
interface JsonTypes {
  readonly string: string
  readonly number: number
  readonly array: readonly unknown[]
  readonly object: object
}

type TypeName = keyof JsonTypes

/** The fields of a JSON object as declared, each undefined when it is not sent. */
export type Fields<Types extends Readonly<Record<string, TypeName>>> = {
  readonly [Name in keyof Types]: JsonTypes[Types[Name]] | undefined
}

/** A refusal that names the place in the body and what it must be. */
export function refusal(code: ErrorCode, place: string, must: string): ApiError {
  return apiError(code, `${place} must be ${must}`, { parameter: place })
}

/** The named fields of a JSON object; a value of another type, null included, is `invalid_body`. Others are ignored. */
export function fieldsOf<const Types extends Readonly<Record<string, TypeName>>>(
  json: unknown,
  place: string,
  types: Types
): Fields<Types> {
  if (typeOf(json) !== 'object') throw refusal('invalid_body', place, 'a JSON object')
  const record = json as Readonly<Record<string, unknown>>
  const fields: Record<string, unknown> = {}
  for (const [name, type] of Object.entries(types)) {
    const value = Object.hasOwn(record, name) ? record[name] : undefined
    if (value !== undefined && typeOf(value) !== type) throw refusal('invalid_body', within(place, name), article(type))
    fields[name] = value
  }
  return fields as Fields<Types>
}

/** The numbers of a JSON array; an element of another type is `invalid_body`. */
export function numbersOf(array: readonly unknown[], place: string): readonly number[] {
  const stranger = array.findIndex((value) => typeof value !== 'number')
  if (stranger >= 0) throw refusal('invalid_body', `${place}[${stranger}]`, 'a number')
  return array as readonly number[]
}

/** A figure inside its bounds, both included, else undefined. JSON knows no NaN, but 1e400 reads as infinite. */
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

/** The place of the body itself. */
export const wholeBody = 'the body'
