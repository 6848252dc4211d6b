import type { Print } from '../../connectors/port/prints/print-feed.ts'
import { CALL } from '../../market/chain.ts'
import { formatOcc } from '../../market/occ.ts'
import { parentOfRoot, symbolOfRoot } from '../../market/security.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import type { ColumnLayout } from '../tables/column-map.ts'
import type { Line } from '../tables/csv-line.ts'
import { isMarked, type RowContract, rowContractReader } from '../tables/row-contract.ts'
import { tableDate } from '../tables/table-dates.ts'
import { figureAt, quotedField, repeatedAt, tableSymbol, textAt } from '../tables/table-fields.ts'
import type { UnusedRow } from '../tables/table-rows.ts'
import { clockTime, onClock, printTime } from '../tables/table-times.ts'
import { type Forms, noForms } from '../tables/written-forms.ts'
import { type ConditionMap, conditionsIn } from './print-conditions.ts'

export const printFields = [
  'symbol',
  'occ',
  'root',
  'expiration',
  'strike',
  'right',
  'adjusted',
  'date',
  'time',
  'time_utc',
  'price',
  'size',
  'exchange',
  'sequence',
  'condition',
  'cancel_code',
  'bid',
  'ask',
  'quote_time',
  'underlying_price',
  'underlying_bid',
  'underlying_ask'
] as const
export type PrintLayout = ColumnLayout<(typeof printFields)[number]>

/** One row of the table: a print, or the cancel of an earlier print. */
export interface PrintRow extends Print {
  /** True if the row cancels the newest print with the same contract, price and size. */
  readonly isCancel: boolean
}

/** Cboe's code for a row that cancels a print. Code 1 marks a print that is canceled later. */
const TAKES_BACK = '2'

/** Explains why prints cannot be read with this column layout; undefined if they can. */
export function printLayoutProblem(layout: PrintLayout, symbol: Ticker | undefined): string | undefined {
  const has = (field: keyof PrintLayout) => layout[field] !== undefined
  const needed: string[] = []
  if (symbol === undefined && !has('symbol') && !has('root') && !has('occ')) needed.push('symbol')
  if (!has('time') && !has('time_utc')) needed.push('time')
  for (const field of ['price', 'size'] as const) if (!has(field)) needed.push(field)
  const contract = (['expiration', 'strike', 'right'] as const).filter((field) => !has(field))
  if (!has('occ') && contract.length < 3) needed.push(...contract)
  if (has('time') && has('time_utc')) return 'time and time_utc are both filled: choose one of them'
  if (has('time_utc') && has('date')) return 'a date stands beside a time of New York: fill time'
  return needed.length === 0 ? undefined : `no column fills ${needed.join(', ')}`
}

export interface PrintReaderOptions {
  /** Symbol that applies to all rows if the table has no symbol column. */
  readonly symbol: Ticker | undefined
  /** Meanings of sale condition codes, in addition to those already known. */
  readonly conditions: ConditionMap | undefined
  readonly forms?: Forms
}

export function printRowReader(
  layout: PrintLayout,
  { symbol, conditions, forms = noForms }: PrintReaderOptions
): (line: Line) => PrintRow | UnusedRow {
  const symbolIn = repeatedAt(layout.symbol, tableSymbol)
  const contractIn = contractReader(layout, symbol, forms)
  const isAdjusted = repeatedAt(layout.adjusted, isMarked)
  const timeIn = timeReader(layout, forms)
  const optionConditions = repeatedAt(layout.condition, (text) => conditionsIn(text, 'option', conditions))
  const stockConditions = repeatedAt(layout.condition, (text) => conditionsIn(text, 'stock', conditions))
  const exchangeIn = repeatedAt(layout.exchange, exchangeOf)

  return (line) => {
    const wrong = (name: keyof PrintLayout): UnusedRow => ({
      wrong: `its ${name.replace('_', ' ')} is ${quotedField(textAt(line, layout[name]))}`
    })
    const named = contractIn(line)
    if (named !== undefined && 'wrong' in named) return named
    const stated = symbol ?? symbolIn(line)
    const owner = parentOfRoot(stated ?? '') ?? stated ?? named?.underlying
    if (owner === undefined) return wrong('symbol')
    if (isAdjusted(line) && named?.adjusted !== true) return { leftOut: true }
    const time = timeIn(line)
    if (time === undefined) return wrong(layout.time === undefined ? 'time_utc' : 'time')
    const found = (named === undefined ? stockConditions : optionConditions)(line)
    if (found === undefined) {
      const code = quotedField(textAt(line, layout.condition))
      return { wrong: `its condition is ${code}, which is not known: say what it means with --conditions` }
    }
    if (found === 'exclude') return { leftOut: true }
    const price = figureAt(line, layout.price)
    if (price === undefined || !(price > 0)) return wrong('price')
    const size = figureAt(line, layout.size)
    if (size === undefined || !(size > 0 && Number.isInteger(size) && size < 2 ** 31)) return wrong('size')
    const sequence = figureAt(line, layout.sequence)
    if (sequence === undefined || !(Number.isNaN(sequence) || Number.isSafeInteger(sequence))) return wrong('sequence')
    const exchange = exchangeIn(line)
    if (exchange === undefined) return wrong('exchange')
    const quoteTime = textAt(line, layout.quote_time) === '' ? time : quoteTimeIn(line, layout, forms)
    if (quoteTime === undefined) return wrong('quote_time')
    const bid = figureAt(line, layout.bid) ?? Number.NaN
    const ask = figureAt(line, layout.ask) ?? Number.NaN
    return {
      symbol: owner,
      contract: named?.occ,
      time,
      price,
      size,
      exchange,
      sequence: Number.isNaN(sequence) ? undefined : sequence,
      flags: found === 'cancel' ? 0 : found,
      quote: bid >= 0 && ask > 0 ? { bid, ask, time: quoteTime } : undefined,
      spot: spotIn(line, layout),
      isCancel: found === 'cancel' || textAt(line, layout.cancel_code) === TAKES_BACK
    }
  }
}

/** A row's contract as OCC symbol, and its underlying. */
interface NamedContract {
  readonly occ: string
  readonly underlying: Ticker
  readonly adjusted: boolean
}

/**
 * Returns a cached reader for the contract of a row. The reader returns undefined if the row names no contract, which
 * means a stock print.
 */
function contractReader(layout: PrintLayout, symbol: Ticker | undefined, forms: Forms) {
  const seriesIn = rowContractReader(layout, { symbol, forms })
  const first = layout.occ ?? layout.expiration
  const contracts = new Map<string, NamedContract | { readonly wrong: string }>()
  return (line: Line): NamedContract | { readonly wrong: string } | undefined => {
    if (first === undefined || textAt(line, first) === '') return undefined
    const series = seriesIn(line)
    if ('wrong' in series) return series
    const { root, expiration, strike, right } = series
    const name = `${root} ${expiration} ${strike} ${right}`
    let contract = contracts.get(name)
    if (contract === undefined) {
      if (contracts.size >= MAX_CONTRACTS) contracts.clear()
      contracts.set(name, (contract = contractOf(series, textAt(line, layout.right))))
    }
    return contract
  }
}

/** Maximum number of cached contracts. Fewer trade in a session of the whole market. */
const MAX_CONTRACTS = 500_000

function contractOf({ root, expiration, strike, right, adjusted }: RowContract, rightText: string) {
  if (right === undefined) return { wrong: `its right is ${quotedField(rightText)}, no call or put` }
  const plain = adjusted ? root.replace(/\d+$/, '') : root
  try {
    const occ = formatOcc({ root, expiration, strike, right: right === CALL ? 'call' : 'put' })
    return { occ, underlying: symbolOfRoot(plain), adjusted }
  } catch {
    return { wrong: `its strike is ${strike}: no contract can have it` }
  }
}

function timeReader(layout: PrintLayout, forms: Forms): (line: Line) => Instant | undefined {
  const { date, time, time_utc } = layout
  if (time_utc !== undefined) return (line) => printTime(textAt(line, time_utc), true, forms)
  if (date === undefined) return (line) => printTime(textAt(line, time), false, forms)
  const dateIn = repeatedAt(date, (text) => tableDate(text, forms))
  return (line) => {
    const day = dateIn(line)
    const passed = clockTime(textAt(line, time))
    return day === undefined || passed === undefined ? undefined : onClock(day, passed, forms.zone)
  }
}

/**
 * Reads the time of the quote. If the text has no date, the print's date applies; if it has no zone, the print's zone
 * applies.
 */
function quoteTimeIn(line: Line, { quote_time, date, time_utc }: PrintLayout, forms: Forms): Instant | undefined {
  const text = textAt(line, quote_time)
  if (date === undefined) return printTime(text, time_utc !== undefined, forms)
  const [day, passed] = [tableDate(textAt(line, date), forms), clockTime(text)]
  return day === undefined || passed === undefined ? undefined : onClock(day, passed, forms.zone)
}

/** Reads an exchange as a number from 1 to 255, or as the ASCII code of its letter; 0 if absent. */
function exchangeOf(text: string): number | undefined {
  if (text === '') return 0
  if (/^[A-Za-z]$/.test(text)) return text.charCodeAt(0)
  return /^\d{1,3}$/.test(text) && Number(text) < 256 ? Number(text) : undefined
}

/**
 * Reads the price of the underlying in USD; if the row has none, the midpoint of the underlying's quote. Undefined if
 * the row has neither.
 */
function spotIn(line: Line, layout: PrintLayout): number | undefined {
  const price = figureAt(line, layout.underlying_price) ?? Number.NaN
  if (price > 0) return price
  const bid = figureAt(line, layout.underlying_bid) ?? Number.NaN
  const ask = figureAt(line, layout.underlying_ask) ?? Number.NaN
  return bid > 0 && ask >= bid ? (bid + ask) / 2 : undefined
}
