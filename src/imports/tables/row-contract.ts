import { isMonthlyOpex } from '../../market/calendar.ts'
import { CALL, PUT } from '../../market/chain.ts'
import type { Settlement } from '../../market/clock.ts'
import { parseOcc } from '../../market/occ.ts'
import { rootsOf, settlementOf } from '../../market/security.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import type { ColumnLayout } from './column-map.ts'
import type { Line } from './csv-line.ts'
import { lastTradingDate, tableDate } from './table-dates.ts'
import { figureAt, quotedField, repeatedAt, tableSymbol, textAt } from './table-fields.ts'

/** The fields by which a row of a table names its contract: the OCC symbol, or the others. */
export type ContractLayout = ColumnLayout<'symbol' | 'root' | 'occ' | 'expiration' | 'strike' | 'right'>

/** The contract that a row names. */
export interface RowContract {
  readonly root: string
  readonly expiration: IsoDate
  readonly settlement: Settlement
  readonly strike: number
  /** CALL or PUT; undefined where the row does not say, or holds both. */
  readonly right: number | undefined
  /** Its root says that it delivers something else than 100 shares. */
  readonly adjusted: boolean
}

type Found = RowContract | { readonly wrong: string }

/** Reads the contracts of the rows of one layout. `symbol`: that of every row, where the table does not say. */
export function rowContractReader(layout: ContractLayout, symbol: Ticker | undefined): (line: Line) => Found {
  return layout.occ === undefined ? fromColumns(layout, symbol) : fromOcc(layout)
}

function fromOcc(layout: ContractLayout): (line: Line) => Found {
  return (line) => {
    const text = textAt(line, layout.occ)
    const occ = parseOcc(text.replace(/^O:/, ''))
    if (occ === undefined) return { wrong: `its occ is ${quotedField(text)}` }
    const { root, strike, adjusted } = occ
    const expiration = lastTradingDate(occ.expiration)
    const right = occ.right === 'call' ? CALL : PUT
    return { root, expiration, settlement: settlementOf(root, expiration), strike, right, adjusted }
  }
}

function fromColumns(layout: ContractLayout, symbol: Ticker | undefined): (line: Line) => Found {
  const listedIn = repeatedAt(layout.expiration, tableDate)
  const rightIn = repeatedAt(layout.right, rightOf)
  const symbolIn = repeatedAt(layout.symbol, tableSymbol)
  // Some vendors write the whole symbol of the option here: the root is its first word.
  const rootIn = repeatedAt(layout.root, (text) => tableSymbol(text.split(' ')[0]))
  return (line) => {
    const listed = listedIn(line)
    if (listed === undefined) return { wrong: `its expiration is ${quotedField(textAt(line, layout.expiration))}` }
    const expiration = lastTradingDate(listed)
    const strike = figureAt(line, layout.strike)
    if (strike === undefined || !(strike > 0))
      return { wrong: `its strike is ${quotedField(textAt(line, layout.strike))}` }
    const owner = symbol ?? symbolIn(line)
    const stated = rootIn(line)
    if (stated === undefined && textAt(line, layout.root) !== '') {
      return { wrong: `its root is ${quotedField(textAt(line, layout.root))}` }
    }
    const root = stated ?? (owner === undefined ? undefined : rootFor(owner, expiration))
    if (root === undefined) return { wrong: `its symbol is ${quotedField(textAt(line, layout.symbol ?? layout.root))}` }
    const settlement = settlementOf(root, expiration)
    return { root, expiration, settlement, strike, right: rightIn(line), adjusted: /\d$/.test(root) }
  }
}

/** The root of an index with several: the standard series at its monthly expiration, the weekly one else. */
function rootFor(symbol: Ticker, expiration: IsoDate): string {
  const [standard, weekly] = rootsOf(symbol)
  return weekly === undefined || isMonthlyOpex(expiration) ? standard : weekly
}

function rightOf(text: string): number | undefined {
  if (/^c(all)?$/i.test(text)) return CALL
  return /^p(ut)?$/i.test(text) ? PUT : undefined
}

/** Options have the root of their symbol, or one that ends with a digit, since the symbols of OCC changed. */
const SYMBOLS_CHANGED = '2010-05-14'

/**
 * A contract of a table whose roots are those of the symbol of their row: another root marks another deliverable. Before the
 * symbols of options changed roots said nothing of the kind (JGA of XSP), and the contract has that of its symbol.
 * Source: OCC, Options Symbology Initiative (2010).
 */
export function contractOfSymbol(series: RowContract, symbol: Ticker, date: IsoDate): RowContract {
  const { expiration } = series
  const plain = (root: string) => root.replaceAll('.', '')
  if (rootsOf(symbol).some((root) => plain(root) === plain(series.root))) return series
  if (date >= SYMBOLS_CHANGED) return { ...series, adjusted: true }
  const root = rootFor(symbol, expiration)
  return { ...series, root, settlement: settlementOf(root, expiration), adjusted: false }
}

/** A column that marks contracts with another deliverable holds something, and neither 0 nor N. */
export function isMarked(text: string): boolean {
  return text !== '' && !/^(0|n|no|false)$/i.test(text)
}
