import type { Instant } from '../../../market/units.ts'
import { SourceError } from '../source-error.ts'

/** Fields as they came: nothing is known of them before they are read one by one. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * Reads the documented fields of a vendor's answers. A field that is not there, or is of another type, is a fault that
 * names it: guessed at, it would be a wrong figure. `null` is how vendors say that there is none.
 */
export interface FieldReader {
  /** The body of an answer, which is a JSON object. */
  body(bytes: Uint8Array): Fields
  object(fields: Fields, name: string): Fields
  objectOrNone(fields: Fields, name: string): Fields | undefined
  /** A list; one alone may come without it. Undefined for null. */
  list(fields: Fields, name: string): readonly unknown[] | undefined
  /** An element of a list of that name. */
  element(value: unknown, name: string): Fields
  text(fields: Fields, name: string): string
  number(fields: Fields, name: string): number
  /** NaN for null. */
  numberOrNone(fields: Fields, name: string): number
  /** A price above 0; NaN for null, and for what is none: 0, below it, or without end. */
  priceOrNone(fields: Fields, name: string): number
  /** How many were traded: 0 or more. */
  volume(fields: Fields, name: string): number
  /** A time that is counted from 1970 in so many units a millisecond, to the millisecond. Undefined for 0: never. */
  timeOrNever(fields: Fields, name: string, unitsPerMillisecond?: number): Instant | undefined
  /** The error of an answer that cannot be used, with the reason as the end of a sentence. */
  malformed(reason: string): SourceError
}

/** Times before 2000 and after 2100 are none, or are in another unit. */
const EARLIEST = Date.UTC(2000, 0)
const LATEST = Date.UTC(2100, 0)

export function fieldReader(vendor: string): FieldReader {
  const malformed = (reason: string) => new SourceError('malformed', `an answer of ${vendor} cannot be used: ${reason}`)
  const wrong = (name: string, value: unknown, expected: string) =>
    malformed(value === undefined ? `the field ${name} is missing` : `the field ${name} is no ${expected}`)
  const isObject = (value: unknown): value is Fields =>
    typeof value === 'object' && value !== null && !Array.isArray(value)

  const reader: FieldReader = {
    malformed,
    body(bytes) {
      let body: unknown
      try {
        body = JSON.parse(new TextDecoder().decode(bytes))
      } catch {
        throw malformed('it is not JSON, or not all of it')
      }
      if (!isObject(body)) throw malformed('it is no object')
      return body
    },
    object: (fields, name) => reader.element(fields[name], name),
    objectOrNone: (fields, name) => (fields[name] === null ? undefined : reader.object(fields, name)),
    list(fields, name) {
      const value = fields[name]
      if (value === undefined) throw wrong(name, value, 'list')
      if (value === null) return undefined
      return Array.isArray(value) ? value : [value]
    },
    element(value, name) {
      if (!isObject(value)) throw wrong(name, value, 'object')
      return value
    },
    text(fields, name) {
      const value = fields[name]
      if (typeof value !== 'string') throw wrong(name, value, 'text')
      return value
    },
    number(fields, name) {
      const value = fields[name]
      if (typeof value !== 'number') throw wrong(name, value, 'number')
      return value
    },
    numberOrNone: (fields, name) => (fields[name] === null ? Number.NaN : reader.number(fields, name)),
    priceOrNone(fields, name) {
      const value = reader.numberOrNone(fields, name)
      return value > 0 && value < Number.POSITIVE_INFINITY ? value : Number.NaN
    },
    volume(fields, name) {
      const value = reader.number(fields, name)
      if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) throw malformed(`the field ${name} is no count`)
      return value
    },
    timeOrNever(fields, name, unitsPerMillisecond = 1) {
      const value = Math.floor(reader.number(fields, name) / unitsPerMillisecond)
      if (value === 0) return undefined
      if (!(value >= EARLIEST && value <= LATEST)) throw malformed(`the field ${name} is no time in its unit`)
      return value
    }
  }
  return reader
}
