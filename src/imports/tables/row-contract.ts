import { isMonthlyOpex, isVixMonthly } from '../../market/calendar.ts'
import { CALL, PUT } from '../../market/chain.ts'
import type { Settlement } from '../../market/clock.ts'
import { type Occ, parseOcc } from '../../market/occ.ts'
import { rootsOf, settlementOf } from '../../market/security.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import { currentRoot, optionRoots } from '../../market/wanted-roots.ts'
import type { ColumnLayout } from './column-map.ts'
import type { Line } from './csv-line.ts'
import { lastTradingDate, tableDate } from './table-dates.ts'
import { figureAt, insteadOfNumber, quotedField, repeatedAt, tableRoot, tableSymbol, textAt } from './table-fields.ts'
import { type Forms, noForms } from './written-forms.ts'

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

/** Bounds of a strike, USD or index points. OCC writes strikes in thousandths; none comes near the upper bound. */
const [MIN_STRIKE, MAX_STRIKE] = [0.001, 1e7]

/** Whether an option can have this strike. */
export function isStrike(strike: number): boolean {
  return strike >= MIN_STRIKE && strike <= MAX_STRIKE
}

type Found = RowContract | { readonly wrong: string }

export interface ContractReaderOptions {
  /** Symbol of rows without a symbol column. */
  readonly symbol: Ticker | undefined
  readonly forms?: Forms
  /** Expiration of all rows, if the table has no column for it. */
  readonly expiration?: IsoDate | undefined
}

/** Reads the contract of a row. `on` is the date of the row: closures that were not known then move no expiration. */
type ContractReader = (line: Line, on?: IsoDate) => Found

/** Returns a reader for the contract of a row. */
export function rowContractReader(layout: ContractLayout, options: ContractReaderOptions): ContractReader {
  return layout.occ === undefined ? fromColumns(layout, options) : fromOcc(layout, options)
}

function fromOcc(layout: ContractLayout, { symbol }: ContractReaderOptions): ContractReader {
  const symbolIn = repeatedAt(layout.symbol, tableSymbol)
  return (line, on) => {
    const text = textAt(line, layout.occ)
    const occ = optionNamed(text)
    if (occ === undefined) return { wrong: `its occ is ${quotedField(text)}` }
    const { strike } = occ
    const root = currentRoot(occ.root)
    const expiration = lastTradingDate(occ.expiration, on)
    const right = occ.right === 'call' ? CALL : PUT
    const adjusted = isAdjustedRoot(root, symbol ?? symbolIn(line))
    return { root, expiration, settlement: settlementOf(root, expiration), strike, right, adjusted }
  }
}

function fromColumns(layout: ContractLayout, options: ContractReaderOptions): ContractReader {
  const { symbol, forms, expiration: stated } = options
  const listedIn =
    layout.expiration === undefined ? () => stated : repeatedAt(layout.expiration, (text) => tableDate(text, forms))
  const rightIn = repeatedAt(layout.right, rightOf)
  const symbolIn = repeatedAt(layout.symbol, tableSymbol)
  // Some vendors write the full option symbol in this column; its first word is the root.
  const rootIn = repeatedAt(layout.root, (text) => optionNamed(text)?.root ?? tableRoot(text.split(' ')[0]))
  return (line, on) => {
    const listed = listedIn(line)
    if (listed === undefined) return { wrong: `its expiration is ${quotedField(textAt(line, layout.expiration))}` }
    const expiration = lastTradingDate(listed, on)
    const strike = figureAt(line, layout.strike)
    if (strike === undefined || !isStrike(strike)) {
      return { wrong: `its strike is ${quotedField(textAt(line, layout.strike))}` }
    }
    const owner = symbol ?? symbolIn(line)
    const named = rootIn(line)
    if (named === undefined && textAt(line, layout.root) !== '') {
      return { wrong: `its root is ${quotedField(textAt(line, layout.root))}` }
    }
    const root = (named && currentRoot(named)) ?? (owner === undefined ? undefined : rootFor(owner, expiration))
    if (root === undefined) {
      const text = textAt(line, layout.symbol ?? layout.root)
      return { wrong: `its symbol is ${quotedField(text)}${insteadOfNumber(text)}` }
    }
    const settlement = settlementOf(root, expiration)
    return { root, expiration, settlement, strike, right: rightIn(line), adjusted: isAdjustedRoot(root, owner) }
  }
}

/**
 * Option root of a contract: the symbol itself for most symbols. An index with two roots has the standard one at the
 * monthly expiration, otherwise the weekly one.
 */
function rootFor(symbol: Ticker, expiration: IsoDate): string {
  const [standard, weekly] = optionRoots(symbol)
  const isMonthly = symbol === 'VIX' ? isVixMonthly : isMonthlyOpex
  return weekly === undefined || isMonthly(expiration) ? standard : weekly
}

/** Words for a call and a put. Some vendors write a flag that is 1 for calls. */
const [calls, puts] = [/^(c|ce|calls?|1)$/i, /^(p|pe|puts?|0)$/i]

export function isRight(text: string): boolean {
  return rightOf(text) !== undefined
}

function rightOf(text: string): number | undefined {
  if (calls.test(text)) return CALL
  return puts.test(text) ? PUT : undefined
}

/** A root that ends in a digit marks an adjusted contract, unless the symbol itself ends so. */
function isAdjustedRoot(root: string, symbol: Ticker | undefined): boolean {
  return /\d$/.test(root) && (symbol === undefined || !optionRoots(symbol).includes(root))
}

/** Matches an option as brokers name it, with the strike in USD: .SPY240419C505.5. */
const shortName = /^[.-]?([A-Z][A-Z0-9]{0,5}?) *(_?)(\d{6})([CP])(\d{1,5}(?:\.\d{1,3})?)$/
/** Dates within the name of an option in words. */
const namedDate = [
  '\\d{1,2}/\\d{1,2}/(?:\\d{4}|\\d{2})',
  '\\d{4}-\\d{2}-\\d{2}',
  '\\d{1,2}[A-Z]{3}\\d{2}',
  "[A-Z]{3} ?\\d{1,2},? ?'?(?:20)?\\d{2}"
].join('|')
const namedRight = '(C|P|CALL|PUT)'
/** Matches an option in words, the strike before or after the right: KO 15MAR24 50 CALL, KO US 3/15/24 C50 Equity. */
const described = new RegExp(
  `^([A-Z][A-Z0-9]{0,5})(?: US)? +(${namedDate}) +(?:([\\d.]+) *${namedRight}|${namedRight} *([\\d.]+))(?: (?:EQUITY|INDEX))?$`
)
/** Matches a call or put of the exchange's tables of before 2017, in brackets: 13 Dec 125.00 (IBM1327L125-4). */
const bracketed = /^(\d{2}) (\w{3}) (\d+(?:\.\d+)?) \(([A-Z]+)(\d{2})(\d{2})([A-X])[\d.]+(?:-[\dA-Z])?\)$/

/** Reads the symbol of an option: that of the OCC, with the prefix of a vendor or without, or that of a broker. */
export function optionNamed(text: string): Pick<Occ, 'root' | 'expiration' | 'right' | 'strike'> | undefined {
  const bare = text.replace(/^O:/, '').toUpperCase()
  const occ = parseOcc(bare)
  if (occ !== undefined) return occ
  const [, root, mark, date, right, strike] = shortName.exec(bare) ?? []
  if (root !== undefined) {
    const named = (digits: string) => parseOcc(`${root}${digits}${right}${thousandths(strike)}`)
    // TD Ameritrade writes the year behind month and day: KO_031524C50.
    return (mark === '' ? undefined : named(`${date.slice(4)}${date.slice(0, 4)}`)) ?? named(date)
  }
  const inWords = describedOption(bare)
  if (inWords !== undefined) return inWords
  const [, , month, price, old, year, day, code] = bracketed.exec(text) ?? []
  if (old === undefined) return undefined
  const expiration = tableDate(`${day} ${month} 20${year}`)
  if (expiration === undefined || !isStrike(Number(price))) return undefined
  return { root: old, expiration, right: code < 'M' ? 'call' : 'put', strike: Number(price) }
}

function describedOption(text: string): ReturnType<typeof optionNamed> {
  const [, root, date, before, right = '', other = right, after] = described.exec(text) ?? []
  if (root === undefined) return undefined
  const expiration = tableDate(date, { ...noForms, order: 'mdy' })
  const strike = Number(before ?? after)
  if (expiration === undefined || !isStrike(strike)) return undefined
  return { root, expiration, right: other.startsWith('C') ? 'call' : 'put', strike }
}

function thousandths(strike: string): string {
  return String(Math.round(1000 * Number(strike))).padStart(8, '0')
}

/** Day from which an option's root equals the underlying's symbol, followed by a digit if the contract is adjusted. */
export const SYMBOLS_CHANGED = '2010-05-14'

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
