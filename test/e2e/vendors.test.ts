import { expect, test } from 'vitest'
import { latestSession, session, tradingDays } from '../../src/market/calendar.ts'
import { easternDateTime } from '../../src/market/eastern.ts'
import { parentOfRoot } from '../../src/market/security.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { NO_DATA, named, quoteOf, table } from '../connectors/thetadata/vendor.ts'
import { chainBody, datesBody, option, quoteBody, TOKEN, tradierLimit } from '../connectors/tradier/vendor.ts'
import { contractCheck, hasContract } from '../support/contract-check.ts'
import { RestVendor, type VendorConduct } from '../support/rest-vendor.ts'
import { eventually, metric, type Service, startService, temporaryFolder } from '../support/started-service.ts'
import { vendorMarket } from '../support/vendor-market.ts'

// The service over each vendor, as servers of the test play them.

const symbols = ['SPY', 'QQQ', 'IWM', 'AAPL']

/** A symbol of every market that is asked for is worth 500 USD. */
const marketOf = (symbol: string) => vendorMarket(symbol, 500, Date.now())

const tradier: VendorConduct = ({ path, query }) => {
  const { symbol, spot, traded, expirations, options } = marketOf(query['symbol'] ?? query['symbols'])
  const times = { trade_date: traded, bid_date: traded, ask_date: traded }
  const end = path.split('/').at(-1)!
  if (end === 'expirations') return { body: datesBody(expirations) }
  if (end === 'history') return { body: { history: null } }
  if (end === 'quotes') {
    const prices = { last: spot, bid: spot - 0.01, ask: spot + 0.01, close: spot, prevclose: spot }
    return { body: quoteBody({ symbol, ...times, ...prices }) }
  }
  const rows = options.filter(({ expiration }) => expiration === query['expiration'])
  return {
    body: chainBody(
      rows.map(({ contract, bid, ask, volume, openInterest }) =>
        option(contract, { ...times, bid, ask, volume, last: ask, open_interest: openInterest })
      )
    )
  }
}

function serviceOver(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Service> {
  const settings = ['--workers', '2', '--record', 'off', '--universe', symbols.join()]
  return startService(temporaryFolder(), [...settings, ...args], env)
}

/** The summary of every symbol, once it is served. */
async function summaries(service: Service) {
  return Promise.all(
    symbols.map((symbol) =>
      eventually(
        `the summary of ${symbol}`,
        async () => {
          const answer = await service.ask(`/v1/exposure/summary/${symbol}`, service.keys.alpha)
          return answer.status === 200 ? answer : undefined
        },
        90
      )
    )
  )
}

test('Tradier serves exposure summaries, on several threads within one limit', { timeout: 240_000 }, async () => {
  const vendor = await RestVendor.start(tradier, tradierLimit(120, 60_000))
  const url = ['--source', 'tradier', '--tradier-url', `${vendor.url}/v1`]
  const service = await serviceOver(url, { GAMMAWALL_TRADIER_TOKEN: TOKEN })
  for (const { headers, json } of await summaries(service)) {
    expect(headers.get('x-data-source')).toBe('tradier')
    expect(json).toMatchObject({ underlying_price: 500 })
  }
  // Seven requests a chain: a list of dates, a quote, five dates.
  expect(await metric(service, 'gammawall_source_requests{source="tradier"}')).toBeGreaterThanOrEqual(28)
  expect(vendor.beyond).toBe(0)
  const { json } = await service.ask('/v1/universe', service.keys.alpha)
  expect(json?.['symbols']).toMatchObject(symbols.map((symbol) => ({ symbol, is_pre_warmed: true })))
  const { code, stdout, stderr } = await service.stop()
  expect(code).toBe(0)
  expect(stdout + stderr).not.toContain(TOKEN)
})

/** Pages of 250 contracts of a symbol, followed by cursor. */
const massive: VendorConduct = ({ path, query }) => {
  if (!path.startsWith('/v3/snapshot/options/')) return { body: { status: 'OK', resultsCount: 0 } }
  const name = path.split('/').at(-1)!
  const { spot, traded, options } = marketOf(name)
  const time = 1e6 * traded
  const [from, until, begin] = [
    query['expiration_date.gte'] ?? '',
    query['expiration_date.lt'] ?? '9',
    Number(query['at'] ?? 0)
  ]
  const listed = options.filter(({ expiration }) => expiration >= from && expiration < until)
  const results = listed.slice(begin, begin + 250).map(({ contract, bid, ask, volume, openInterest }) => ({
    day: { volume, last_updated: time },
    details: { contract_type: 'call', shares_per_contract: 100, ticker: `O:${contract}` },
    last_quote: { bid, ask, bid_size: 10, ask_size: 10, last_updated: time },
    open_interest: openInterest,
    underlying_asset: { price: spot, ticker: name, last_updated: time }
  }))
  const next = new URLSearchParams({
    'expiration_date.gte': from,
    'expiration_date.lt': until,
    at: String(begin + 250)
  })
  const more = begin + 250 < listed.length ? { next_url: `https://api.massive.com${path}?${next}` } : {}
  return { body: { status: 'OK', results, ...more } }
}

test('Massive serves exposure summaries from pages of contracts', { timeout: 240_000 }, async () => {
  const vendor = await RestVendor.start(massive)
  const addresses = ['--massive-url', vendor.url, '--massive-stream', 'ws://127.0.0.1:9']
  const service = await serviceOver(['--source', 'massive', ...addresses], { GAMMAWALL_MASSIVE_KEY: TOKEN })
  for (const { headers, json } of await summaries(service)) {
    expect(headers.get('x-data-source')).toBe('massive')
    expect(json).toMatchObject({ underlying_price: 500 })
  }
  const { code, stdout, stderr } = await service.stop()
  expect(code).toBe(0)
  expect(stdout + stderr).not.toContain(TOKEN)
})

/** The day of an answer of the past, and every session from the first to the last one that is asked for. */
const dayOf = (text: string) => text.replace(/^(....)(..)(..)$/, '$1-$2-$3') as IsoDate
const last = latestSession(Date.now())

/** What the terminal has now and of every session before, whatever the day: bars go up and down by a percent. */
const thetadata: VendorConduct = ({ path, query }) => {
  const root = query['symbol']
  const symbol = parentOfRoot(root) ?? root
  if (![...symbols, 'SPX', 'VIX'].includes(symbol)) return NO_DATA
  const date = dayOf(query['start_date'] ?? query['date'] ?? last.date.replaceAll('-', ''))
  const { spot, traded, options } = vendorMarket(
    symbol,
    symbol === 'VIX' ? 20 : 500,
    path.includes('/history/') ? (session(date) ?? last).close : Date.now()
  )
  const ofRoot = options.map((option) => ({ ...option, contract: option.contract.replace(symbol, root) }))
  const timestamp = easternDateTime(traded)
  const made = (day: IsoDate) => ({
    created: `${day}T17:16:00`,
    last_trade: `${day}T17:15:00`,
    open: spot,
    high: 1.05 * spot,
    low: 0.95 * spot
  })
  const of = (fields: (option: (typeof options)[number]) => object) =>
    table(
      path,
      ofRoot.map((option) => ({ ...named(option.contract), timestamp, ...fields(option) }))
    )
  switch (path.slice('/v3'.length)) {
    case '/stock/snapshot/quote':
      return table(path, [{ timestamp, symbol, ...quoteOf(spot - 0.01, spot + 0.01) }])
    case '/index/snapshot/price':
      return table(path, [{ timestamp, symbol, price: spot }])
    case '/stock/history/eod':
    case '/index/history/eod': {
      const days = tradingDays(date, dayOf(query['end_date'])).filter((day) => day <= last.date)
      const closes = days.map((day, k) => ({
        ...made(day),
        close: spot * (1 + 0.01 * ((k + Number(day.slice(-1))) % 3)),
        volume: 1000
      }))
      return table(
        path,
        closes.map((bar) => (bar.last_trade.startsWith(last.date) ? { ...bar, close: spot } : bar))
      )
    }
    case '/option/snapshot/quote':
      return of(({ bid, ask }) => quoteOf(bid, ask))
    case '/option/snapshot/ohlc':
      return of(({ ask, volume }) => ({ close: ask, volume }))
    case '/option/snapshot/open_interest':
      return of(({ openInterest }) => ({ open_interest: openInterest }))
    case '/option/history/open_interest':
      return of(({ openInterest }) => ({ open_interest: openInterest, timestamp: `${date}T06:30:04` }))
    case '/option/history/eod':
      return of(({ bid, ask, volume }) => ({ ...made(date), close: ask, volume, ...quoteOf(bid, ask) }))
    default:
      return NO_DATA
  }
}

test('ThetaData serves exposure summaries, within the requests that its plan lets through at once', {
  timeout: 400_000
}, async () => {
  let [underWay, highest] = [0, 0]
  const vendor = await RestVendor.start(async (request) => {
    highest = Math.max(highest, ++underWay)
    await new Promise((go) => setTimeout(go, 5))
    underWay--
    return thetadata(request)
  })
  const url = ['--source', 'thetadata', '--thetadata-url', `${vendor.url}/v3`, '--thetadata-plan', 'standard']
  const service = await serviceOver(url, {})
  for (const { headers, json } of await summaries(service)) {
    expect(headers.get('x-data-source')).toBe('thetadata')
    expect(json).toMatchObject({ underlying_price: expect.closeTo(500, 6) })
  }
  // Indexes are loaded when they are first asked for.
  const vixState = () => service.ask('/v1/macro/vix-state', service.keys.alpha)
  await eventually('the state of the VIX', async () => (await vixState()).status === 200 || undefined, 90)
  if (hasContract) {
    const { failures, passed, told } = await contractCheck(service, 'SPY', undefined, 'exposure,volatility')
    expect(failures, told).toEqual([])
    expect(passed).toBeGreaterThan(30)
  }
  expect(highest).toBeLessThanOrEqual(4)
  expect((await service.stop()).code).toBe(0)
})
