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

/** Columns from which a row's contract is read: either the column of the OCC symbol, or the others. */
export type ContractLayout = ColumnLayout<'symbol' | 'root' | 'occ' | 'expiration' | 'strike' | 'right'>

export interface RowContract {
  readonly root: string
  readonly expiration: IsoDate
  readonly settlement: Settlement
  readonly strike: number
  /** CALL or PUT. Undefined if the row states neither, or holds both the call and the put. */
  readonly right: number | undefined
  /** Whether the option root shows that the contract delivers something other than 100 shares. */
  readonly adjusted: boolean
}

type Found = RowContract | { readonly wrong: string }

/** Returns a reader for the contract of a row. `symbol` is the symbol of rows without a symbol column. */
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
  // Some vendors write the full option symbol in this column; its first word is the root.
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

/**
 * Option root of a contract: the symbol itself for most symbols. An index with two roots has the standard one at the
 * monthly expiration, otherwise the weekly one.
 */
function rootFor(symbol: Ticker, expiration: IsoDate): string {
  const [standard, weekly] = rootsOf(symbol)
  return weekly === undefined || isMonthlyOpex(expiration) ? standard : weekly
}

function rightOf(text: string): number | undefined {
  if (/^c(all)?$/i.test(text)) return CALL
  return /^p(ut)?$/i.test(text) ? PUT : undefined
}

/** Day from which an option's root equals the underlying's symbol, followed by a digit if the contract is adjusted. */
const SYMBOLS_CHANGED = '2010-05-14'

/**
 * Corrects the contract of a row in a table whose option roots should equal the underlying's symbol. Any other root
 * marks an adjusted contract. Before OCC changed its symbols in 2010, roots were unrelated to adjustments (e.g. JGA for
 * XSP), so older rows get the underlying's symbol as root. Source: OCC, Options Symbology Initiative (2010).
 */
export function contractOfSymbol(series: RowContract, symbol: Ticker, date: IsoDate): RowContract {
  const { expiration } = series
  const plain = (root: string) => root.replaceAll('.', '')
  if (rootsOf(symbol).some((root) => plain(root) === plain(series.root))) return series
  if (date >= SYMBOLS_CHANGED) return { ...series, adjusted: true }
  const root = rootFor(symbol, expiration)
  return { ...series, root, settlement: settlementOf(root, expiration), adjusted: false }
}

/** Whether the column that marks adjusted contracts is set in a row: it holds a text other than 0, N, no or false. */
export function isMarked(text: string): boolean {
  return text !== '' && !/^(0|n|no|false)$/i.test(text)
}
