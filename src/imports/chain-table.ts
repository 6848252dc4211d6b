import type { Absence } from '../archive/store.ts'
import { CALL, type ContractRow, PUT, UNKNOWN } from '../market/chain.ts'
import { parentOfRoot } from '../market/security.ts'
import type { IsoDate, Ticker } from '../market/units.ts'
import type { Layout, Place } from './column-map.ts'
import { tableDate } from './dates.ts'
import { figureAt, quoted, repeatedAt, tableSymbol, textAt } from './field.ts'
import type { Line } from './line.ts'
import type { Refusal } from './table.ts'
import { isMarked, type NamedSeries, seriesReader } from './table-series.ts'

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
  const seriesIn = seriesReader(layout, symbol)
  const sides = sidesOf(layout)

  return (line) => {
    if (isAdjusted(line)) return { leftOut: true }
    const date = dateIn(line)
    if (date === undefined) return { wrong: `its date is ${quoted(textAt(line, layout.date))}` }
    const series = seriesIn(line)
    if ('wrong' in series) return series
    if (series.adjusted || series.expiration < date) return { leftOut: true }
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

function contractOf(
  line: Line,
  side: Side,
  series: NamedSeries,
  right: number
): ContractRow | { readonly wrong: string } {
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

function countFrom(value: number): number {
  return Number.isNaN(value) || value > 2 ** 31 - 1 ? UNKNOWN : Math.round(value)
}
