import type { Absence } from '../../archive/history-store.ts'
import { CALL, type ContractRow, PUT, UNKNOWN } from '../../market/chain.ts'
import { hasGlobalHours, parentOfRoot, symbolOfRoot } from '../../market/security.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import { FilesError } from '../import-files.ts'
import type { ColumnLayout, ColumnPlace } from '../tables/column-map.ts'
import type { Line } from '../tables/csv-line.ts'
import { contractOfSymbol, isMarked, type RowContract, rowContractReader } from '../tables/row-contract.ts'
import { figureAt, insteadOfNumber, quotedField, repeatedAt, tableSymbol, textAt } from '../tables/table-fields.ts'
import type { UnusedRow } from '../tables/table-rows.ts'
import { type Forms, noForms } from '../tables/written-forms.ts'
import { momentReader } from './chain-moment.ts'
import type { StatedFacts } from './stated-facts.ts'

/**
 * Names of a contract's figures. A table has one column for each, or two if a row holds both the call and the put of a
 * strike.
 */
const figures = [
  'bid',
  'ask',
  'last',
  'bid_size',
  'ask_size',
  'volume',
  'open_interest',
  'open_interest_after'
] as const
/** Figures that are whole numbers of contracts. */
const counts: ReadonlySet<string> = new Set(figures.filter((figure) => !['bid', 'ask', 'last'].includes(figure)))
/** Adds `sizes`, a column that holds bid size and ask size together, such as `10 x 1`. */
const quoteFigures = [...figures, 'sizes'] as const
type Figure = (typeof quoteFigures)[number]
type SidedFigure = `${'call' | 'put'}_${Figure}`

const named = ['symbol', 'root', 'occ', 'date', 'time', 'expiration', 'strike', 'right', 'adjusted'] as const
const underlying = ['underlying_price', 'underlying_bid', 'underlying_ask'] as const
const sided = quoteFigures.flatMap((figure): SidedFigure[] => [`call_${figure}`, `put_${figure}`])

export const chainTableFields = [...named, ...underlying, ...quoteFigures, ...sided] as const
export type ChainField = (typeof chainTableFields)[number]
export type ChainLayout = ColumnLayout<ChainField>

/** One row of the table: a contract, or the call and the put of a strike. */
export interface ChainRow {
  readonly symbol: Ticker
  readonly date: IsoDate
  /** Time that the quotes count as. */
  readonly asOf: Instant
  /** Time that the row states, which may lie after the close. */
  readonly stated: Instant
  readonly contracts: readonly ContractRow[]
  /** Price of the underlying, USD per share; NaN if the row states none. */
  readonly price: number
  readonly bid: number
  readonly ask: number
}

/** Explains why chains cannot be built from this column layout; undefined if they can. */
export function chainLayoutProblem(
  layout: ChainLayout,
  symbol: Ticker | undefined,
  stated: StatedFacts = {}
): string | undefined {
  const needed: string[] = []
  const has = (field: keyof ChainLayout) =>
    layout[field] !== undefined ||
    (field === 'date' && stated.stamp !== undefined) ||
    (field === 'expiration' && stated.expiration !== undefined)
  if (symbol === undefined && !has('symbol') && !has('root') && !has('occ')) needed.push('symbol')
  if (!has('date')) needed.push('date')
  if (!has('occ')) for (const field of ['expiration', 'strike'] as const) if (!has(field)) needed.push(field)
  const bothSides = sided.some(has)
  if (!has('occ') && !has('right') && !bothSides) needed.push('right')
  if (bothSides && quoteFigures.some(has))
    return 'it fills figures of a row and of its call and put: choose one of them'
  const either = (a: Figure, b: Figure) => hasFigure(layout, a) && hasFigure(layout, b)
  if (either('open_interest', 'open_interest_after')) return 'it fills open interest of the morning and of the evening'
  if (either('sizes', 'bid_size') || either('sizes', 'ask_size')) return 'it fills sizes together and apart'
  return needed.length === 0 ? undefined : `no column fills ${needed.join(', ')}`
}

/** Lists the data missing from snapshots of this column layout. */
export function missingFrom(layout: ChainLayout): readonly Absence[] {
  const has = (figure: Figure) => hasFigure(layout, figure)
  const missing: Absence[] = ['trade_tape', 'macro_intraday']
  if (!has('sizes') && (!has('bid_size') || !has('ask_size'))) missing.push('quote_sizes')
  if (!has('volume')) missing.push('option_volume')
  if (!has('open_interest') && !has('open_interest_after')) missing.push('open_interest')
  return missing
}

/** Whether the layout has a column for a figure, either for all contracts or for calls. */
export function hasFigure(layout: ChainLayout, figure: Figure): boolean {
  return layout[figure] !== undefined || layout[`call_${figure}`] !== undefined
}

export interface ChainReaderOptions {
  /** Symbol that applies to all rows if the table has no symbol column. */
  readonly symbol: Ticker | undefined
  /** Heading of the column that marks adjusted contracts. */
  readonly adjustedName?: string | undefined
  /** Number of minutes before the close at which rows without a time were quoted. */
  readonly beforeClose?: number
  /** True if an option root other than the symbol marks an adjusted contract, which does not deliver 100 shares. */
  readonly rootsOfSymbol?: boolean
  readonly forms?: Forms
  /** Facts that hold for all rows and that no column says. */
  readonly stated?: StatedFacts
}

const priceOfOneMoment =
  'the price of the underlying that was stated is of one moment, and its rows are of several: a column must state it'
/** Why rows are left out, as the end of a sentence with their count. */
export const globalHours = 'quotes of global trading hours, from 20:15 to 09:25 New York'
const adjustedBy = (column: string) => `contracts with another deliverable, as their ${column} says`
const expired = 'expired contracts'

export function chainRowReader(
  layout: ChainLayout,
  {
    symbol,
    adjustedName = 'adjusted',
    beforeClose = 0,
    rootsOfSymbol = false,
    forms = noForms,
    stated = {}
  }: ChainReaderOptions
): (line: Line) => ChainRow | UnusedRow {
  const asOfIn = momentReader(layout, { beforeClose, forms, stated: stated.stamp })
  const symbolIn = repeatedAt(layout.symbol, tableSymbol)
  const isAdjusted = repeatedAt(layout.adjusted, isMarked)
  const [adjustedByMark, adjustedByRoot] = [adjustedBy(adjustedName), adjustedBy('root')]
  const seriesIn = rowContractReader(layout, { symbol, forms, expiration: stated.expiration })
  const hasPrice = underlying.some((field) => layout[field] !== undefined)
  const known = [stated.price, stated.bid, stated.ask].map((price) => price ?? Number.NaN)
  let pricedAt: Instant | undefined
  const sides = sidesOf(layout)

  return (line) => {
    if (isAdjusted(line)) return { leftOut: true, because: adjustedByMark }
    const moment = asOfIn(line)
    const { date } = moment
    if (date === undefined) return { wrong: moment.wrong }
    const listed = seriesIn(line, date)
    if ('wrong' in listed) return listed
    const named = symbol ?? symbolIn(line)
    // The option root is no substitute for the symbol: it may mark an adjusted contract, or date from before 2010.
    if (named === undefined && layout.symbol !== undefined) {
      const text = textAt(line, layout.symbol)
      return { wrong: `its symbol is ${quotedField(text)}${insteadOfNumber(text)}` }
    }
    const owner = parentOfRoot(named ?? '') ?? named ?? symbolOfRoot(listed.root)
    const series = rootsOfSymbol ? contractOfSymbol(listed, owner, date) : listed
    if (series.adjusted) return { leftOut: true, because: adjustedByRoot }
    if (series.expiration < date) return { leftOut: true, because: expired }
    if (moment.isGlobal && hasGlobalHours(owner)) return { leftOut: true, because: globalHours }
    if ('wrong' in moment) return { wrong: moment.wrong }
    const { asOf } = moment
    pricedAt ??= asOf
    if (stated.price !== undefined && !hasPrice && asOf !== pricedAt) throw new FilesError(priceOfOneMoment)
    const contracts: ContractRow[] = []
    for (const side of sides) {
      const right = side.right ?? series.right
      if (right === undefined)
        return { wrong: `its right is ${quotedField(textAt(line, layout.right))}, no call or put` }
      const contract = contractOf(line, side, series, right)
      if ('wrong' in contract) return contract
      contracts.push(contract)
    }
    for (let i = 0; i < underlying.length; i++) {
      ofUnderlying[i] = known[i]
      if (!hasPrice) continue
      const place = layout[underlying[i]]
      const value = figureAt(line, place)
      if (value === undefined) return { wrong: `its ${underlying[i]} is ${quotedField(textAt(line, place))}` }
      ofUnderlying[i] = value
    }
    const [price, bid, ask] = ofUnderlying
    return { symbol: owner, date, asOf, stated: moment.stated, contracts, price, bid, ask }
  }
}

/**
 * Symbol and moment that a row is of, even if its contract or figures cannot be used. Undefined if it does not say,
 * `outside` if its moment is in no session.
 */
export function rowPlaceReader(
  layout: ChainLayout,
  { symbol, beforeClose = 0, forms = noForms, stated = {} }: ChainReaderOptions
): (line: Line) => Pick<ChainRow, 'symbol' | 'date' | 'asOf'> | 'outside' | undefined {
  const momentOf = momentReader(layout, { beforeClose, forms, stated: stated.stamp })
  const symbolIn = repeatedAt(layout.symbol, tableSymbol)
  return (line) => {
    const named = symbol ?? symbolIn(line)
    const moment = momentOf(line)
    if (moment.date !== undefined && 'wrong' in moment) return 'outside'
    if (named === undefined || 'wrong' in moment) return undefined
    return { symbol: parentOfRoot(named) ?? named, date: moment.date, asOf: moment.asOf }
  }
}

/**
 * Columns of a contract's figures, in the order of `figures`. `right` is set if the row holds both a call and a put.
 */
interface Side {
  readonly right: number | undefined
  readonly places: readonly (ColumnPlace | undefined)[]
  readonly sizes: ColumnPlace | undefined
}

function sidesOf(layout: ChainLayout): readonly Side[] {
  const sideOf = (right: number | undefined, prefix: '' | 'call_' | 'put_'): Side => ({
    right,
    places: figures.map((figure) => layout[`${prefix}${figure}`]),
    sizes: layout[`${prefix}sizes`]
  })
  if (!sided.some((field) => layout[field] !== undefined)) return [sideOf(undefined, '')]
  return [sideOf(CALL, 'call_'), sideOf(PUT, 'put_')]
}

const read = new Float64Array(figures.length)
const ofUnderlying = new Float64Array(underlying.length)

function contractOf(
  line: Line,
  side: Side,
  series: RowContract,
  right: number
): ContractRow | { readonly wrong: string } {
  for (let i = 0; i < figures.length; i++) {
    const place = side.places[i]
    const stated = figureAt(line, place)
    const value = stated === -1 ? Number.NaN : stated // brokers write -1 where they have no figure
    if (value === undefined || value < 0 || (counts.has(figures[i]) && !isCount(value))) {
      return { wrong: `its ${figures[i]} is ${quotedField(textAt(line, place))}` }
    }
    read[i] = value
  }
  if (side.sizes !== undefined) {
    const text = textAt(line, side.sizes)
    const sizes = /^(?:(\d+) *x *(\d+))?$/i.exec(text)
    if (sizes === null) return { wrong: `its sizes are ${quotedField(text)}` }
    if (sizes.slice(1).some((size) => !isCount(Number(size ?? Number.NaN))))
      return { wrong: `its sizes are ${quotedField(text)}` }
    read[3] = Number(sizes[1] ?? Number.NaN)
    read[4] = Number(sizes[2] ?? Number.NaN)
  }
  return {
    root: series.root,
    expiration: series.expiration,
    settlement: series.settlement,
    right,
    strike: series.strike,
    bid: read[0], // bid 0 is a fact: nobody bids
    ask: read[1] > 0 ? read[1] : Number.NaN, // ask 0 is no price: nobody offers
    last: read[2] > 0 ? read[2] : Number.NaN,
    bidSize: sizeFrom(read[3], read[0]),
    askSize: sizeFrom(read[4], read[1]),
    volume: countFrom(read[5]),
    openInterest: countFrom(Number.isNaN(read[6]) ? read[7] : read[6])
  }
}

/** Whether a number can be one of contracts, as columns of chains hold it; NaN means that none is stated. */
function isCount(value: number): boolean {
  return Number.isNaN(value) || (Number.isInteger(value) && value < 2 ** 31)
}

/** Treats a size of 0 next to a price as unknown. */
function sizeFrom(value: number, price: number): number {
  return value === 0 && price > 0 ? UNKNOWN : countFrom(value)
}

function countFrom(value: number): number {
  return Number.isNaN(value) ? UNKNOWN : value
}
