import { mostTraded } from '../../connectors/port/most-traded.ts'
import { securityKind } from '../../market/security.ts'
import type { Ticker } from '../../market/units.ts'
import type { ColumnLayout, ColumnPlace } from '../tables/column-map.ts'
import { type Line, textOf } from '../tables/csv-line.ts'
import { tableSymbol } from '../tables/table-fields.ts'
import type { TableSample } from '../tables/table-opening.ts'

const figures = ['open', 'high', 'low', 'close', 'volume'] as const

/** The columns of one of the symbols that a table holds side by side. */
export interface SymbolColumns {
  readonly symbol: Ticker
  readonly layout: ColumnLayout<'date' | (typeof figures)[number]>
}

/** Symbol and figure of a column; both are empty if its name has none. */
type Named = readonly [symbol: string, figure: string]

/** First cell of a heading over such columns. */
const corner = /^(?:|date|datetime|price|prices|ticker|tickers|symbols?|attributes?)$/i

/** Whether a line below a heading belongs to it, such as the line with the name of the dates. */
export const isHeadingLine = (first: string) => first !== '' && corner.test(first)

/**
 * The symbols whose bars stand side by side in a table, as pandas writes them: with their names in the line above or
 * below the figures, with both in one name (`Close_SPY`, `SPY Close`, `('Close', 'SPY')`), or alone over their closes.
 * None if the table is another one.
 */
export function symbolColumns(heading: Line, sample: TableSample): readonly SymbolColumns[] {
  const [first, ...names] = Array.from({ length: heading.count }, (_, column) => textOf(heading, column))
  if (names.length === 0 || !corner.test(first)) return []
  const [, ...above] = sample.preamble.at(-1) ?? []
  const pairs: readonly (readonly Named[])[] = [
    names.map((name, at) => [sample.texts(at + 1)[0] ?? '', name]),
    names.map((name, at) => [above[at] ?? '', name]),
    names.map(tuple),
    ofKnown(names.map(joined)),
    ofKnown(names.map((name) => [name, 'close']))
  ]
  for (const named of pairs) {
    const found = columnsOf(named)
    if (found.length > 0) return found
  }
  return []
}

/** Columns by symbol. None if a figure has no symbol, or a symbol no close or a figure twice. */
function columnsOf(named: readonly Named[]): readonly SymbolColumns[] {
  const bySymbol = new Map<Ticker, Record<string, ColumnPlace>>()
  for (const [at, [text, name]] of named.entries()) {
    const figure = figures.find((each) => each === name.toLowerCase())
    if (figure === undefined) continue
    const symbol = tableSymbol(text)
    if (symbol === undefined) return []
    const layout = bySymbol.get(symbol) ?? { date: { column: 0, divisor: 1 } }
    if (figure in layout) return []
    bySymbol.set(symbol, layout)
    layout[figure] = { column: at + 1, divisor: 1 }
  }
  const found = [...bySymbol].map(([symbol, layout]) => ({ symbol, layout }))
  return found.every(({ layout }) => 'close' in layout) ? found : []
}

const inTuple = /^\(\s*['"]([^'"]+)['"]\s*,\s*['"]([^'"]+)['"]\s*\)$/
const unnamed = ['', '', '']

/** Symbol and figure of a name that pandas makes of two levels. */
function tuple(name: string): Named {
  const [, one, other] = inTuple.exec(name) ?? unnamed
  return isFigure(one) ? [other, one] : [one, other]
}

const isFigure = (text: string) => figures.some((each) => each === text.toLowerCase())

const figure = figures.join('|')
const symbolFirst = new RegExp(`^(.+)[ ._-](${figure})$`, 'i')
const figureFirst = new RegExp(`^(${figure})[ ._-](.+)$`, 'i')

/** Symbol and figure that are joined in a name. */
function joined(name: string): Named {
  const [, symbol, last] = symbolFirst.exec(name) ?? unnamed
  const [, first, rest] = figureFirst.exec(name) ?? unnamed
  return symbol === '' ? [rest, first] : [symbol, last]
}

const listed: ReadonlySet<string> = new Set(mostTraded.map(({ symbol }) => symbol))

/** Columns all of whose symbols are well known, else none: an adjusted close or a column IV is of no company. */
function ofKnown(named: readonly Named[]): readonly Named[] {
  const symbols = named.flatMap(([symbol]) => (symbol === '' ? [] : [tableSymbol(symbol)]))
  return symbols.every((each) => each !== undefined && isWellKnown(each)) ? named : []
}

const isWellKnown = (symbol: Ticker) => listed.has(symbol) || securityKind(symbol) !== 'equity'
