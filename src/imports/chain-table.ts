import type { Absence } from '../archive/store.ts'
import { isMonthlyOpex } from '../market/calendar.ts'
import { CALL, type ContractRow, PUT, UNKNOWN } from '../market/chain.ts'
import type { Settlement } from '../market/clock.ts'
import { parseOcc } from '../market/occ.ts'
import { parentOfRoot, rootsOf, settlementOf } from '../market/security.ts'
import type { IsoDate, Ticker } from '../market/units.ts'
import type { Layout, Place } from './column-map.ts'
import { lastTradingDate, tableDate } from './dates.ts'
import { figureAt, repeatedAt, tableSymbol, textAt } from './field.ts'
import type { Line } from './line.ts'
import type { Refusal } from './table.ts'

/**
 * The figures of a contract that a table of chains can have; each once for the row, or once for its call and once for
 * its put.
 */
const figures = ['bid', 'ask', 'last', 'bid_size', 'ask_size', 'volume', 'open_interest'] as const
type Figure = (typeof figures)[number]
type SidedFigure = `${'call' | 'put'}_${Figure}`

const named = ['symbol', 'root', 'occ', 'date', 'expiration', 'strike', 'right', 'adjusted'] as const
const underlying = ['underlying_price', 'underlying_bid', 'underlying_ask'] as const
const sided = figures.flatMap((figure): SidedFigure[] => [`call_${figure}`, `put_${figure}`])

/** The fields of a table of chains. */
export const chainFields = [...named, ...underlying, ...figures, ...sided] as const
export type ChainLayout = Layout<(typeof chainFields)[number]>

/** One line of the table: a contract, or the call and the put of a strike. */
export interface ChainRow {
  readonly symbol: Ticker
  readonly date: IsoDate
  readonly contracts: readonly ContractRow[]
  /** The underlying, USD per share; NaN where the row does not say. */
  readonly price: number
  readonly bid: number
  readonly ask: number
}

/** What is missing for this layout to make a chain at all, in words. Undefined: nothing. */
export function problemOf(layout: ChainLayout, symbol: Ticker | undefined): string | undefined {
  const needed: string[] = []
  const has = (field: keyof ChainLayout) => layout[field] !== undefined
  if (symbol === undefined && !has('symbol') && !has('root') && !has('occ')) needed.push('symbol')
  if (!has('date')) needed.push('date')
  if (!has('occ')) for (const field of ['expiration', 'strike'] as const) if (!has(field)) needed.push(field)
  const bothSides = sided.some(has)
  if (!has('occ') && !has('right') && !bothSides) needed.push('right')
  if (bothSides && figures.some(has)) return 'it fills figures of a row and of its call and put: choose one of them'
  return needed.length === 0 ? undefined : `no column fills ${needed.join(', ')}`
}

/** What snapshots made from this layout do not carry. */
export function missingFrom(layout: ChainLayout): readonly Absence[] {
  const has = (figure: Figure) => layout[figure] !== undefined || layout[`call_${figure}`] !== undefined
  const missing: Absence[] = ['trade_tape', 'macro_intraday']
  if (!has('bid_size') || !has('ask_size')) missing.push('quote_sizes')
  if (!has('volume')) missing.push('option_volume')
  if (!has('open_interest')) missing.push('open_interest')
  return missing
}

/** Reads rows of one layout. `symbol`: that of every row, where the table does not say. */
export function chainRowReader(layout: ChainLayout, symbol: Ticker | undefined): (line: Line) => ChainRow | Refusal {
  const dateIn = repeatedAt(layout.date, tableDate)
  const symbolIn = repeatedAt(layout.symbol, tableSymbol)
  const isAdjusted = repeatedAt(layout.adjusted, isMarked)
  const seriesIn = layout.occ === undefined ? seriesFromColumns(layout, symbol) : seriesFromOcc(layout)
  const sides = sidesOf(layout)

  return (line) => {
    if (isAdjusted(line)) return { leftOut: true }
    const date = dateIn(line)
    if (date === undefined) return { wrong: `its date is ${quoted(textAt(line, layout.date))}` }
    const series = seriesIn(line)
    if ('wrong' in series || 'leftOut' in series) return series
    if (series.expiration < date) return { leftOut: true }
    const contracts: ContractRow[] = []
    for (const side of sides) {
      const right = side.right ?? series.right
      if (right === undefined) return { wrong: `its right is ${quoted(textAt(line, layout.right))}, no call or put` }
      const contract = contractOf(line, side, series, right)
      if ('wrong' in contract) return contract
      contracts.push(contract)
    }
    const { root } = series
    return {
      symbol: symbol ?? symbolIn(line) ?? parentOfRoot(root) ?? (root as Ticker),
      date,
      contracts,
      price: figureAt(line, layout.underlying_price) ?? Number.NaN,
      bid: figureAt(line, layout.underlying_bid) ?? Number.NaN,
      ask: figureAt(line, layout.underlying_ask) ?? Number.NaN
    }
  }
}

function seriesFromOcc(layout: ChainLayout): (line: Line) => Series | Refusal {
  return (line) => {
    const text = textAt(line, layout.occ)
    const occ = parseOcc(text.replace(/^O:/, ''))
    if (occ === undefined) return { wrong: `its occ is ${quoted(text)}` }
    if (occ.adjusted) return { leftOut: true }
    const { root, strike } = occ
    const expiration = lastTradingDate(occ.expiration)
    const right = occ.right === 'call' ? CALL : PUT
    return { root, expiration, settlement: settlementOf(root, expiration), strike, right }
  }
}

function seriesFromColumns(layout: ChainLayout, symbol: Ticker | undefined): (line: Line) => Series | Refusal {
  const listedIn = repeatedAt(layout.expiration, tableDate)
  const rightIn = repeatedAt(layout.right, rightOf)
  const symbolIn = repeatedAt(layout.symbol, tableSymbol)
  // Some vendors write the whole symbol of the option here: the root is its first word.
  const rootIn = repeatedAt(layout.root, (text) => tableSymbol(text.split(' ')[0]))
  return (line) => {
    const listed = listedIn(line)
    if (listed === undefined) return { wrong: `its expiration is ${quoted(textAt(line, layout.expiration))}` }
    const expiration = lastTradingDate(listed)
    const strike = figureAt(line, layout.strike)
    if (strike === undefined || !(strike > 0)) return { wrong: `its strike is ${quoted(textAt(line, layout.strike))}` }
    const owner = symbol ?? symbolIn(line)
    const root = rootIn(line) ?? (owner === undefined ? undefined : rootFor(owner, expiration))
    if (root === undefined) return { wrong: `its symbol is ${quoted(textAt(line, layout.symbol ?? layout.root))}` }
    if (/\d$/.test(root)) return { leftOut: true }
    return { root, expiration, settlement: settlementOf(root, expiration), strike, right: rightIn(line) }
  }
}

/** Where the figures of a contract stand, in the order of `figures`; of a call or a put where the row holds both. */
interface Side {
  readonly right: number | undefined
  readonly places: readonly (Place | undefined)[]
}

function sidesOf(layout: ChainLayout): readonly Side[] {
  const placesOf = (prefix: '' | 'call_' | 'put_') => figures.map((figure) => layout[`${prefix}${figure}`])
  if (!sided.some((field) => layout[field] !== undefined)) return [{ right: undefined, places: placesOf('') }]
  return [
    { right: CALL, places: placesOf('call_') },
    { right: PUT, places: placesOf('put_') }
  ]
}

const read = new Float64Array(figures.length)

function contractOf(line: Line, side: Side, series: Series, right: number): ContractRow | { readonly wrong: string } {
  for (let i = 0; i < figures.length; i++) {
    const place = side.places[i]
    const value = figureAt(line, place)
    if (value === undefined || value < 0) return { wrong: `its ${figures[i]} is ${quoted(textAt(line, place))}` }
    read[i] = value
  }
  return {
    root: series.root,
    expiration: series.expiration,
    settlement: series.settlement,
    right,
    strike: series.strike,
    bid: read[0], // 0: nobody bids, which is a fact
    ask: read[1] > 0 ? read[1] : Number.NaN, // 0: nobody offers, and no price
    last: read[2] > 0 ? read[2] : Number.NaN,
    bidSize: countFrom(read[3]),
    askSize: countFrom(read[4]),
    volume: countFrom(read[5]),
    openInterest: countFrom(read[6])
  }
}

interface Series {
  readonly root: string
  readonly expiration: IsoDate
  readonly settlement: Settlement
  readonly strike: number
  /** Undefined where the row holds both. */
  readonly right: number | undefined
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

/** A column that marks contracts with another deliverable holds something, and neither 0 nor N. */
function isMarked(text: string): boolean {
  return text !== '' && !/^(0|n|no|false)$/i.test(text)
}

function countFrom(value: number): number {
  return Number.isNaN(value) || value > 2 ** 31 - 1 ? UNKNOWN : Math.round(value)
}

function quoted(text: string): string {
  return text === '' ? 'missing' : JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
}
