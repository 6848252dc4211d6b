import { createTradier } from '../../../src/connectors/tradier/tradier-connector.ts'
import type { TradierRestSettings } from '../../../src/connectors/tradier/tradier-rest.ts'
import { RestVendor, type VendorAnswer, type VendorConduct, type VendorLimit } from '../../support/rest-vendor.ts'

export const TOKEN = 'tok-4711'
/** 12:00 New York, during a session. */
export const noon = Date.parse('2026-07-29T16:00:00Z')

/** A quote of an underlying as the vendor writes it, a second before noon. */
export const quoteBody = (more: object = {}) => ({
  quotes: {
    quote: {
      ...{ symbol: 'SPY', description: 'SPDR S&P 500', exch: 'P', type: 'etf', last: 600.05, volume: 30_000_000 },
      ...{ open: 598, high: 601, low: 597, close: null, prevclose: 597.5 },
      ...{ bid: 600, ask: 600.1, bidsize: 3, asksize: 5 },
      ...{ trade_date: noon - 1500, bid_date: noon - 1000, ask_date: noon - 2000 },
      ...more
    }
  }
})

/** An option as the vendor writes it, traded ten minutes before noon. */
export const option = (symbol: string, more: object = {}) => ({
  ...{ symbol, type: 'option', last: 2.05, volume: 120, open: 2, close: null, bid: 2, ask: 2.1 },
  ...{ trade_date: noon - 600_000, bid_date: noon - 3000, ask_date: noon - 4000 },
  ...{ bidsize: 10, asksize: 12, open_interest: 4000, contract_size: 100 },
  ...{ root_symbol: symbol.slice(0, -15), expiration_date: '2026-07-31' },
  ...more
})

export const chainBody = (options: unknown) => ({ options: options === null ? null : { option: options } })
export const datesBody = (date: unknown) => ({ expirations: date === null ? null : { date } })

export const dates = ['2026-07-31', '2026-08-07', '2026-08-21']

/** A call and a put at 600 on a date. */
export const pairOf = (root: string, date: string) =>
  ['C', 'P'].map((right) => option(`${root}${date.slice(2).replaceAll('-', '')}${right}00600000`, { bid: 2, ask: 2.1 }))

/** A market in which every symbol is like SPY. `answers` overrides its answers by the end of their path. */
export const market =
  (answers: Readonly<Record<string, VendorConduct>> = {}): VendorConduct =>
  async (request): Promise<VendorAnswer> => {
    const { path, query } = request
    const end = path.split('/').at(-1)!
    if (answers[end] !== undefined) return answers[end](request)
    if (end === 'quotes') return { body: quoteBody({ symbol: query['symbols'] }) }
    if (end === 'expirations') return { body: datesBody(dates) }
    if (end === 'chains') return { body: chainBody(pairOf(query['symbol'], query['expiration'])) }
    if (end === 'history') return { body: { history: null } }
    return { status: 404 }
  }

/** Headers in which the vendor states its limit. */
export const tradierLimit = (requests: number, every: number): VendorLimit => ({
  requests,
  every,
  headers: ({ left, endsAt }) => ({
    'X-Ratelimit-Allowed': String(requests),
    'X-Ratelimit-Used': String(requests - left),
    'X-Ratelimit-Available': String(left),
    'X-Ratelimit-Expiry': String(endsAt)
  })
})

/** A connector that asks a server of the test. */
export async function tradierOver(
  conduct: VendorConduct = market(),
  more: Partial<TradierRestSettings> = {},
  limit?: VendorLimit
) {
  const vendor = await RestVendor.start(conduct, limit)
  const connect = () => createTradier({ url: `${vendor.url}/v1`, token: TOKEN, requestsPerMinute: 120, ...more })
  return { vendor, tradier: connect(), connect }
}
