import type { DailyBar } from '../../market/bar.ts'
import { easternDate } from '../../market/eastern.ts'
import { formatOcc } from '../../market/occ.ts'
import type { Instant, IsoDate } from '../../market/units.ts'
import type { ThetaDataTrade } from './prints/thetadata-trade.ts'
import { malformedThetaData, readThetaDataTable, type ThetaDataRow } from './thetadata-table.ts'

// Describes the vendor's responses: path, documented fields, and which fields we read. Volatilities and greeks are
// never read. Source: ThetaData, REST API v3 (OpenAPI description).

/** One type of response, read row by row. */
export interface ThetaDataAnswer<Read> {
  /** Path below the address, e.g. `/option/snapshot/quote`. */
  readonly path: string
  readonly fields: readonly string[]
  read(row: ThetaDataRow): Read
}

/** Reads the rows of a response. `symbol` is the requested symbol; for options it is the requested option root. */
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

/** Bid and ask of a stock or contract. Prices in USD per share, sizes in contracts or shares. */
export interface ThetaDataQuoteRow {
  readonly bid: number
  readonly ask: number
  readonly bidSize: number
  readonly askSize: number
}

interface Timed {
  readonly time: Instant
}

interface OfContract {
  /** OCC symbol without spaces. */
  readonly occ: string
}

interface VolumeRow {
  /** Last price of the day, USD per share. */
  readonly last: number
  readonly volume: number
}

/** Newest quote of each contract of an option root. The terminal drops the quotes at midnight in New York. */
export const contractQuotes: ThetaDataAnswer<OfContract & ThetaDataQuoteRow & Timed> = {
  path: '/option/snapshot/quote',
  fields: ['timestamp', ...CONTRACT, ...QUOTE],
  read: (row) => ({ occ: contractIn(row), ...quoteIn(row), time: row.time('timestamp') })
}

/**
 * Volume of each contract today. Contracts without trades have no row. `close` in the response is the last price so
 * far.
 */
export const contractVolumes: ThetaDataAnswer<OfContract & VolumeRow & Timed> = {
  path: '/option/snapshot/ohlc',
  fields: ['timestamp', ...CONTRACT, ...OHLC],
  read: (row) => ({ occ: contractIn(row), ...volumeIn(row), time: row.time('timestamp') })
}

/** Open interest at the end of the previous session, published on the morning of `date`. */
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

/** End-of-day report of a contract. It is made at 17:15 New York time, with the quote of that minute. */
export const contractReports: ThetaDataAnswer<OfContract & VolumeRow & ThetaDataQuoteRow> = {
  path: '/option/history/eod',
  fields: [...CONTRACT, 'created', 'last_trade', ...OHLC, ...QUOTE],
  read: (row) => ({ occ: contractIn(row), ...volumeIn(row), ...quoteIn(row) })
}

export const stockQuotes: ThetaDataAnswer<ThetaDataQuoteRow & Timed> = {
  path: '/stock/snapshot/quote',
  fields: ['timestamp', 'symbol', ...QUOTE],
  read: (row) => ({ ...quoteIn(row), time: row.time('timestamp') })
}

export const stockQuotesAt: ThetaDataAnswer<ThetaDataQuoteRow> = {
  path: '/stock/at_time/quote',
  fields: ['timestamp', ...QUOTE],
  read: quoteIn
}

export const indexPrices: ThetaDataAnswer<Timed & { readonly price: number }> = {
  path: '/index/snapshot/price',
  fields: ['timestamp', 'symbol', 'price'],
  read: (row) => ({ price: row.number('price'), time: row.time('timestamp') })
}

const barFields = ['created', 'last_trade', ...OHLC, ...QUOTE]

/** Reads an underlying's daily bar; undefined if nothing traded. */
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

/** End-of-day reports of an index; their volume is 0. */
export const indexReports: ThetaDataAnswer<DailyBar | undefined> = {
  path: '/index/history/eod',
  fields: barFields,
  read: barIn
}

export const expirations: ThetaDataAnswer<IsoDate> = {
  path: '/option/list/expirations',
  fields: ['symbol', 'expiration'],
  read: (row) => row.date('expiration')
}

/** Trades of an option root in part of a day, each with the quote just before it. */
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

/** OCC symbol of a row's contract; its `symbol` field is the option root. */
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
