import type { DailyBar } from '../../market/bar.ts'
import { easternDate } from '../../market/eastern.ts'
import { formatOcc } from '../../market/occ.ts'
import type { Instant, IsoDate } from '../../market/units.ts'
import type { ThetaDataTrade } from './prints/thetadata-trade.ts'
import { malformedThetaData, readThetaDataTable, type ThetaDataRow } from './thetadata-table.ts'

// Everything that is assumed of the vendor's answers: where each is had, its documented fields, and what is read of them.
// Source: ThetaData, REST API v3 (its OpenAPI description). Volatilities and greeks are never read.

/** An answer of the terminal, a row at a time. */
export interface ThetaDataAnswer<Read> {
  /** Below the address: `/option/snapshot/quote`. */
  readonly path: string
  /** The documented fields. */
  readonly fields: readonly string[]
  read(row: ThetaDataRow): Read
}

/** The rows of an answer to a request for a symbol; of an option that is the root. */
export function* readThetaDataAnswer<Read>(
  { fields, read }: ThetaDataAnswer<Read>,
  bytes: Uint8Array,
  symbol: string
): Generator<Read> {
  const isNamed = fields.includes('symbol')
  for (const row of readThetaDataTable(bytes, fields)) {
    const named = isNamed ? row.text('symbol') : symbol
    if (named !== symbol) throw malformedThetaData(`its symbol is ${named.slice(0, 20)} where ${symbol} was asked for`)
    yield read(row)
  }
}

const CONTRACT = ['symbol', 'expiration', 'strike', 'right']
const QUOTE = words('bid_size bid_exchange bid bid_condition ask_size ask_exchange ask ask_condition')
const OHLC = words('open high low close volume count')

/** A quote: prices in USD per share, sizes in contracts or shares. */
export interface ThetaDataQuoteRow {
  readonly bid: number
  readonly ask: number
  readonly bidSize: number
  readonly askSize: number
}

/** When a row was quoted or traded. */
interface Timed {
  readonly time: Instant
}

interface OfContract {
  /** OCC symbol without spaces. */
  readonly occ: string
}

interface VolumeRow {
  /** The last price of the day, USD per share. */
  readonly last: number
  /** Contracts traded. */
  readonly volume: number
}

/** The newest quote of each contract of a root. The terminal forgets them at midnight of New York. */
export const contractQuotes: ThetaDataAnswer<OfContract & ThetaDataQuoteRow & Timed> = {
  path: '/option/snapshot/quote',
  fields: ['timestamp', ...CONTRACT, ...QUOTE],
  read: (row) => ({ occ: contractIn(row), ...quoteIn(row), time: row.time('timestamp') })
}

/** What each contract traded on this day; one that did not trade is not in it. `close` is its last price so far. */
export const contractVolumes: ThetaDataAnswer<OfContract & VolumeRow & Timed> = {
  path: '/option/snapshot/ohlc',
  fields: ['timestamp', ...CONTRACT, ...OHLC],
  read: (row) => ({ occ: contractIn(row), ...volumeIn(row), time: row.time('timestamp') })
}

/** Contracts open at the end of the session before, as they were published on the morning of `date`. */
export interface ThetaDataInterestRow extends OfContract {
  readonly openInterest: number
  readonly date: IsoDate
}

const interestFields = ['timestamp', ...CONTRACT, 'open_interest']
const interestIn = (row: ThetaDataRow): ThetaDataInterestRow => ({
  occ: contractIn(row),
  openInterest: row.number('open_interest'),
  date: easternDate(row.time('timestamp'))
})

export const openInterest: ThetaDataAnswer<ThetaDataInterestRow> = {
  path: '/option/snapshot/open_interest',
  fields: interestFields,
  read: interestIn
}

export const pastOpenInterest: ThetaDataAnswer<ThetaDataInterestRow> = {
  path: '/option/history/open_interest',
  fields: interestFields,
  read: interestIn
}

/** A contract in the report of a day, which is made at 17:15 New York with the quote of then. */
export const contractReports: ThetaDataAnswer<OfContract & VolumeRow & ThetaDataQuoteRow> = {
  path: '/option/history/eod',
  fields: [...CONTRACT, 'created', 'last_trade', ...OHLC, ...QUOTE],
  read: (row) => ({ occ: contractIn(row), ...volumeIn(row), ...quoteIn(row) })
}

/** The newest quote of a stock. */
export const stockQuotes: ThetaDataAnswer<ThetaDataQuoteRow & Timed> = {
  path: '/stock/snapshot/quote',
  fields: ['timestamp', 'symbol', ...QUOTE],
  read: (row) => ({ ...quoteIn(row), time: row.time('timestamp') })
}

/** The quote of a stock that stood at a time of a day. */
export const stockQuotesAt: ThetaDataAnswer<ThetaDataQuoteRow> = {
  path: '/stock/at_time/quote',
  fields: ['timestamp', ...QUOTE],
  read: quoteIn
}

/** The newest price of an index. */
export const indexPrices: ThetaDataAnswer<Timed & { readonly price: number }> = {
  path: '/index/snapshot/price',
  fields: ['timestamp', 'symbol', 'price'],
  read: (row) => ({ price: row.number('price'), time: row.time('timestamp') })
}

const barFields = ['created', 'last_trade', ...OHLC, ...QUOTE]

/** A day of an underlying; undefined where nothing was traded on it. */
function barIn(row: ThetaDataRow): DailyBar | undefined {
  const [open, high, low, close] = ['open', 'high', 'low', 'close'].map((name) => priceIn(row, name))
  if (Number.isNaN(close)) return undefined
  const volume = row.number('volume')
  if (!(volume >= 0 && volume < Number.POSITIVE_INFINITY)) throw malformedThetaData('the field volume is no count')
  return { date: easternDate(row.time('last_trade')), open, high, low, close, volume }
}

export const stockReports: ThetaDataAnswer<DailyBar | undefined> = {
  path: '/stock/history/eod',
  fields: barFields,
  read: barIn
}

/** Of an index nothing is traded: its volume is 0. */
export const indexReports: ThetaDataAnswer<DailyBar | undefined> = {
  path: '/index/history/eod',
  fields: barFields,
  read: barIn
}

/** The expirations that a root has or ever had. */
export const expirations: ThetaDataAnswer<IsoDate> = {
  path: '/option/list/expirations',
  fields: ['symbol', 'expiration'],
  read: (row) => row.date('expiration')
}

/** Trades of a root in a stretch of a day, each with the quote that stood before it. */
export const tradeQuotes: ThetaDataAnswer<ThetaDataTrade> = {
  path: '/option/history/trade_quote',
  fields: [
    ...CONTRACT,
    ...words('trade_timestamp quote_timestamp sequence ext_condition1 ext_condition2 ext_condition3 ext_condition4'),
    ...words('condition size exchange price'),
    ...QUOTE
  ],
  read: (row) => ({
    contract: contractIn(row),
    time: row.time('trade_timestamp'),
    price: row.number('price'),
    size: row.number('size'),
    exchange: row.number('exchange'),
    condition: row.number('condition'),
    sequence: row.number('sequence'),
    quote: { bid: row.number('bid'), ask: row.number('ask'), time: row.time('quote_timestamp') }
  })
}

/** The OCC symbol of the contract of a row; its `symbol` is the root. */
function contractIn(row: ThetaDataRow): string {
  const [root, right] = [row.text('symbol'), row.text('right')]
  if (right !== 'CALL' && right !== 'PUT') throw malformedThetaData('the field right is neither CALL nor PUT')
  const [expiration, strike] = [row.date('expiration'), row.number('strike')]
  try {
    return formatOcc({ root, expiration, strike, right: right === 'CALL' ? 'call' : 'put' })
  } catch {
    throw malformedThetaData(`the fields strike and expiration name no contract: ${strike}, ${expiration}`)
  }
}

function quoteIn(row: ThetaDataRow): ThetaDataQuoteRow {
  const [bid, ask, bidSize, askSize] = ['bid', 'ask', 'bid_size', 'ask_size'].map((name) => row.number(name))
  return { bid, ask, bidSize, askSize }
}

/** A price above 0; NaN for what is none. */
function priceIn(row: ThetaDataRow, name: string): number {
  const value = row.number(name)
  return value > 0 && value < Number.POSITIVE_INFINITY ? value : Number.NaN
}

function volumeIn(row: ThetaDataRow): VolumeRow {
  return { last: row.number('close'), volume: row.number('volume') }
}

function words(text: string): readonly string[] {
  return text.split(' ')
}
