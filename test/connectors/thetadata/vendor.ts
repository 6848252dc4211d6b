import { createThetaData, type ThetaDataSettings } from '../../../src/connectors/thetadata/thetadata-connector.ts'
import { easternDateTime } from '../../../src/market/eastern.ts'
import { parseOcc } from '../../../src/market/occ.ts'
import type { Instant } from '../../../src/market/units.ts'
import { RestVendor, type VendorAnswer, type VendorConduct, type VendorRequest } from '../../support/rest-vendor.ts'

/** 12:00 New York, during a session. */
export const noon = Date.parse('2026-07-29T16:00:00Z')

const QUOTE = 'bid_size,bid_exchange,bid,bid_condition,ask_size,ask_exchange,ask,ask_condition'
const OHLC = 'open,high,low,close,volume,count'
const CONTRACT = 'symbol,expiration,strike,right'

/** The first line of each answer, as the vendor documents it. */
export const headers: Readonly<Record<string, string>> = {
  '/v3/option/snapshot/quote': `timestamp,${CONTRACT},${QUOTE}`,
  '/v3/option/snapshot/ohlc': `timestamp,${CONTRACT},${OHLC}`,
  '/v3/option/snapshot/open_interest': `timestamp,${CONTRACT},open_interest`,
  '/v3/option/history/open_interest': `${CONTRACT},timestamp,open_interest`,
  '/v3/option/history/eod': `${CONTRACT},created,last_trade,${OHLC},${QUOTE}`,
  '/v3/option/history/trade_quote': `${CONTRACT},trade_timestamp,quote_timestamp,sequence,ext_condition1,ext_condition2,ext_condition3,ext_condition4,condition,size,exchange,price,${QUOTE}`,
  '/v3/option/list/expirations': 'symbol,expiration',
  '/v3/stock/snapshot/quote': `timestamp,symbol,${QUOTE}`,
  '/v3/stock/at_time/quote': `timestamp,${QUOTE}`,
  '/v3/stock/history/eod': `created,last_trade,${OHLC},${QUOTE}`,
  '/v3/index/history/eod': `created,last_trade,${OHLC},${QUOTE}`,
  '/v3/index/snapshot/price': 'timestamp,symbol,price'
}

type Cells = Readonly<Record<string, string | number>>

/** An answer as the terminal writes it: every line is ended by CR and LF. */
export function table(path: string, rows: readonly Cells[]): VendorAnswer {
  const names = headers[path].split(',')
  const lines = rows.map((row) => names.map((name) => row[name] ?? 0).join(','))
  return { headers: { 'content-type': 'text/csv' }, body: [names.join(','), ...lines, ''].join('\r\n') }
}

export const NO_DATA: VendorAnswer = { status: 472, body: 'No data found for your request' }

/** How rows name a contract. */
export function named(occ: string): Cells {
  const { root, expiration, strike, right } = parseOcc(occ)!
  return { symbol: root, expiration, strike: strike.toFixed(3), right: right.toUpperCase() }
}

const at = (time: Instant) => ({ timestamp: easternDateTime(time) })

export const quoteOf = (bid: number, ask: number, more: Cells = {}): Cells => ({
  ...{ bid_size: 5, bid_exchange: 6, bid, bid_condition: 50, ask_size: 25, ask_exchange: 6, ask, ask_condition: 50 },
  ...more
})

export const pair = (root: string) => [`${root}260731C00600000`, `${root}260731P00600000`]

/** The terminal's answers about SPY at noon. `answers` overrides them by their path below the version. */
export const market =
  (answers: Readonly<Record<string, VendorConduct | undefined>> = {}): VendorConduct =>
  async (request): Promise<VendorAnswer> => {
    const { path, query } = request
    const own = answers[path.slice('/v3'.length)]
    if (own !== undefined) return own(request)
    if (query['symbol'] !== 'SPY') return NO_DATA
    const contracts = pair('SPY').map(named)
    const [quoted, traded] = [at(noon - 1000), at(noon - 60_000)]
    const morning = { timestamp: '2026-07-29T06:30:13' }
    switch (path.slice('/v3'.length)) {
      case '/option/snapshot/quote':
        return table(
          path,
          contracts.map((contract) => ({ ...contract, ...quoted, ...quoteOf(2, 2.1) }))
        )
      case '/option/snapshot/ohlc':
        return table(path, [{ ...contracts[0], ...traded, close: 2.05, volume: 40, count: 3 }])
      case '/option/snapshot/open_interest':
        return table(path, [{ ...contracts[1], ...morning, open_interest: 900 }])
      case '/stock/snapshot/quote':
        return table(path, [{ symbol: 'SPY', ...at(noon - 500), ...quoteOf(600, 600.1, { bid_condition: 0 }) }])
      case '/option/list/expirations':
        return table(path, [{ symbol: 'SPY', expiration: '2026-07-31' }])
      default:
        return NO_DATA
    }
  }

/** Reports of a session as they are published at 17:15 on its day. */
export const reportsOf =
  (date: string, close: number): VendorConduct =>
  ({ path, query }) => {
    const made = { created: `${date}T17:16:56.205`, last_trade: `${date}T17:15:12.005` }
    const isOf =
      (query['start_date'] ?? '') <= date.replaceAll('-', '') && date.replaceAll('-', '') <= query['end_date']
    if (!isOf || query['symbol'] !== 'SPY') return NO_DATA
    if (path.startsWith('/v3/stock')) {
      return table(path, [{ ...made, open: 598, high: 606, low: 597, close, volume: 7_000_000, ...quoteOf(1, 2) }])
    }
    const day = { ...made, open: 2, high: 3, low: 1, close: 2.4, volume: 70, count: 9 }
    return table(
      path,
      pair('SPY').map((occ) => ({ ...named(occ), ...day, ...quoteOf(2.3, 2.5) }))
    )
  }

/** A trade that the terminal has. */
export interface Traded {
  readonly time: Instant
  readonly occ?: string
  readonly condition?: number
  readonly size?: number
  readonly price?: number
}

/** Filters the trades to the requested period, both ends included. */
export function tradesIn(trades: readonly Traded[], { path, query }: VendorRequest) {
  const within = trades.filter(({ time, occ = 'SPY260731C00600000' }) => {
    const [date, clock] = easternDateTime(time).split('T')
    const isOfRoot = occ.slice(0, -15) === query['symbol']
    return isOfRoot && date.replaceAll('-', '') === query['date'] && isBetween(clock, query)
  })
  if (within.length === 0) return NO_DATA
  return table(
    path,
    within.map(({ time, occ = 'SPY260731C00600000', condition = 18, size = 10, price = 1.5 }) => ({
      ...named(occ),
      trade_timestamp: easternDateTime(time),
      quote_timestamp: easternDateTime(time - 20),
      ...{ sequence: -1, condition, size, exchange: 6, price },
      ...quoteOf(1.4, 1.6)
    }))
  )
}

const padded = (clock: string) => (clock.includes('.') ? clock : `${clock}.000`)
const isBetween = (clock: string, { start_time: from, end_time: to }: VendorRequest['query']) =>
  padded(clock) >= from && padded(clock) <= to

/** A connector that asks a terminal of the test. */
export async function thetaOver(conduct: VendorConduct = market(), more: Partial<ThetaDataSettings> = {}) {
  const vendor = await RestVendor.start(conduct)
  const usual = { url: `${vendor.url}/v3`, plan: 'standard', stream: 'ws://127.0.0.1:9', times: { again: 10 } } as const
  const connect = () => createThetaData({ ...usual, ...more })
  return { vendor, theta: connect(), connect }
}
