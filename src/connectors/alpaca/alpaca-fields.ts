import type { Instant } from '../../market/units.ts'
import { fieldReader, type VendorFields } from '../port/http/vendor-fields.ts'

export const alpacaReader = fieldReader('Alpaca')

const moment = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/

/** Parses an RFC 3339 time with up to nine decimals, rounded down to whole microseconds; undefined for other text. */
export function instantOf(text: string): Instant | undefined {
  const [, seconds, fraction = '', zone] = moment.exec(text) ?? []
  const time = seconds === undefined ? Number.NaN : Date.parse(`${seconds}${zone}`)
  return Number.isNaN(time) ? undefined : time + Number(fraction.padEnd(6, '0').slice(0, 6)) / 1000
}

/** Reads a time field, truncated to milliseconds. */
export function timeIn(fields: VendorFields, name: string): Instant {
  const time = instantOf(alpacaReader.text(fields, name))
  if (time === undefined) throw alpacaReader.malformed(`the field ${name} is no time`)
  return Math.floor(time)
}

/** Reads an object field; undefined if the field is absent. */
export function optional<Read>(
  fields: VendorFields,
  name: string,
  read: (inner: VendorFields) => Read
): Read | undefined {
  const inner = fields[name] ?? undefined
  return inner === undefined ? undefined : read(alpacaReader.object(fields, name))
}

export function optionalText(fields: VendorFields, name: string): string | undefined {
  return (fields[name] ?? undefined) === undefined ? undefined : alpacaReader.text(fields, name)
}

/** Reads a number that the vendor writes as text; NaN if absent. */
export function textFigure(fields: VendorFields, name: string): number {
  const text = optionalText(fields, name)
  if (text === undefined) return Number.NaN
  if (!/^\d{1,12}(\.\d+)?$/.test(text)) throw alpacaReader.malformed(`the field ${name} is no figure`)
  return Number(text)
}
