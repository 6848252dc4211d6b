import type { Instant } from '../../market/units.ts'
import type { WrittenAt } from '../history-store.ts'

// ClickHouse's TabSeparated format, in which all rows are written. Numbers are printed so that reading them gives
// exactly the same number. Source: ClickHouse documentation, Formats, TabSeparated.

export function rowText(fields: readonly string[]): string {
  return fields.join('\t')
}

export function arrayField(fields: Int32Array | Uint8Array | readonly (string | number)[]): string {
  return `[${fields.join(',')}]`
}

/** Escapes a text. Inside an array use `quotedText`. */
export function textField(value: string): string {
  return value.replace(/[\\'\t\n\r\b\f\0]/g, (character) => escapes[character])
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\b': '\\b',
  '\f': '\\f',
  '\0': '\\0'
}

export function quotedText(value: string): string {
  return `'${textField(value)}'`
}

/** Shortest digits that are read as exactly the same double. */
export function floatField(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (value === Number.POSITIVE_INFINITY) return 'inf'
  if (value === Number.NEGATIVE_INFINITY) return '-inf'
  return Object.is(value, -0) ? '-0' : String(value)
}

/** Writes milliseconds since 1970 as seconds with three decimals. */
export function instantField(moment: Instant): string {
  return (moment / 1000).toFixed(3)
}

/** Writes microseconds since 1970 as seconds with six decimals. */
export function writtenAtField(moment: WrittenAt): string {
  const second = Math.floor(moment / 1_000_000)
  return `${second}.${String(moment - 1_000_000 * second).padStart(6, '0')}`
}

/** Rows as bytes, each with a line end. */
export function rowBytes(rows: readonly string[]): Uint8Array {
  return Buffer.from(`${rows.join('\n')}\n`)
}
