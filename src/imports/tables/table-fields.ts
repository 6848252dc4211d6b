import { isSecurityNumber, readSymbol } from '../../market/security.ts'
import type { Ticker } from '../../market/units.ts'
import type { ColumnPlace } from './column-map.ts'
import { fieldEquals, type Line, numberOf, textOf } from './csv-line.ts'

/** Maximum number of cached texts per column. A table has fewer different dates, symbols or expirations. */
const MAX_REMEMBERED = 10_000

/** Text of a field; empty if the table has no such column. */
export function textAt(line: Line, place: ColumnPlace | undefined): string {
  return place === undefined ? '' : textOf(line, place.column)
}

/** Number in a field; NaN if absent, undefined if the text is not a number. */
export function figureAt(line: Line, place: ColumnPlace | undefined): number | undefined {
  if (place === undefined) return Number.NaN
  const value = numberOf(line, place.column)
  return value === undefined || place.divisor === 1 ? value : value / place.divisor
}

/** Reads an option root as the OCC writes it, without the prefix of an index: BRKB for BRK.B. */
export function tableRoot(text: string): string | undefined {
  const bare = text
    .toUpperCase()
    .replace(/^[_^$]/, '')
    .replaceAll(/[./]/g, '')
  return /^[A-Z0-9]{1,10}$/.test(bare) && /[A-Z]/.test(bare) ? bare : undefined
}

/** Yahoo's name of the SPX. */
const yahooSpx = /^\^GSPC$/i

/** Reads a symbol without the prefix that some vendors give to an index: SPX for ^SPX, _SPX and $SPX. */
export function tableSymbol(text: string): Ticker | undefined {
  if (yahooSpx.test(text)) return readSymbol('SPX')
  return /[A-Z]/i.test(text) ? readSymbol(text.replace(/^[_^$]+/, '')) : undefined
}

/** Advice about a symbol that is an ISIN or another number of a security, to follow a reason; else nothing. */
export function insteadOfNumber(text: string): string {
  return isSecurityNumber(text) ? ', the number of a security; --symbol gives the symbol instead' : ''
}

/** Returns a cached reader for texts that repeat from row to row, such as dates. */
export function repeatedAt<Value>(
  place: ColumnPlace | undefined,
  read: (text: string) => Value
): (line: Line) => Value {
  const known = new Map<string, Value>()
  let newest = { text: '', value: read('') }
  return (line) => {
    if (place === undefined || fieldEquals(line, place.column, newest.text)) return newest.value
    const text = textOf(line, place.column)
    let value = known.get(text)
    if (value === undefined && !known.has(text)) {
      if (known.size >= MAX_REMEMBERED) known.clear()
      known.set(text, (value = read(text)))
    }
    newest = { text, value: value as Value }
    return newest.value
  }
}

export function quotedField(text: string): string {
  return text === '' ? 'missing' : JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
}
