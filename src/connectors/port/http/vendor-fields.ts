import type { Instant } from '../../../market/units.ts'
import { SourceError } from '../source-error.ts'

/** Fields of a vendor's JSON object, unchecked. */
export type VendorFields = Readonly<Record<string, unknown>>

/**
 * Reads the documented fields of a vendor's responses. Throws an error that names the field if one is missing or has
 * another type, because a guess would be a wrong figure. Vendors write `null` for "none".
 */
export interface VendorFieldReader {
  body(bytes: Uint8Array): VendorFields
  object(fields: VendorFields, name: string): VendorFields
  objectOrNone(fields: VendorFields, name: string): VendorFields | undefined
  /** A list; the vendor may send a single element without a list around it. Undefined for null. */
  list(fields: VendorFields, name: string): readonly unknown[] | undefined
  element(value: unknown, name: string): VendorFields
  text(fields: VendorFields, name: string): string
  number(fields: VendorFields, name: string): number
  numberOrNone(fields: VendorFields, name: string): number
  /** A price above 0; NaN for null, 0, negative or infinite values. */
  priceOrNone(fields: VendorFields, name: string): number
  volume(fields: VendorFields, name: string): number
  /**
   * Reads a time since 1970, rounded down to the millisecond. `unitsPerMillisecond` is 1000 if the field is in
   * microseconds. Undefined for 0, which means never.
   */
  timeOrNever(fields: VendorFields, name: string, unitsPerMillisecond?: number): Instant | undefined
  /** Builds the error for an unusable response. `reason` completes its message. */
  malformed(reason: string): SourceError
}

/** Earliest time accepted. Times outside 2000 to 2100 are wrong or in another unit. */
const EARLIEST = Date.UTC(2000, 0)
const LATEST = Date.UTC(2100, 0)

export function fieldReader(vendor: string): VendorFieldReader {
  const malformed = (reason: string) => new SourceError('malformed', `an answer of ${vendor} cannot be used: ${reason}`)
  const wrong = (name: string, value: unknown, expected: string) =>
    malformed(value === undefined ? `the field ${name} is missing` : `the field ${name} is no ${expected}`)
  const isObject = (value: unknown): value is VendorFields =>
    typeof value === 'object' && value !== null && !Array.isArray(value)

  const reader: VendorFieldReader = {
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
