import { expect, test } from 'vitest'
import { latestSession, session, tradingDays } from '../../src/market/calendar.ts'
import { easternDateTime } from '../../src/market/eastern.ts'
import { parentOfRoot } from '../../src/market/security.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { NO_DATA, named, quoteOf, table } from '../connectors/thetadata/vendor.ts'
import { contractCheck, hasContract } from '../support/contract-check.ts'
import { hasEngine } from '../support/engine.ts'
import { RestVendor, type VendorConduct } from '../support/rest-vendor.ts'
import { eventually, startService, temporaryFolder } from '../support/started-service.ts'
import { vendorMarket } from '../support/vendor-market.ts'

// The service over a terminal of ThetaData, as a server of the test plays it.

const symbols = ['SPY', 'QQQ', 'IWM', 'AAPL']

/** The day of an answer of the past, and every session from the first to the last one that is asked for. */
const dayOf = (text: string) => text.replace(/^(....)(..)(..)$/, '$1-$2-$3') as IsoDate
const last = latestSession(Date.now())

/**
 * The terminal's answers about now and every earlier session, the same on any day: bars go up and down by a percent.
 */
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
  const source = ['--source', 'thetadata', '--thetadata-url', `${vendor.url}/v3`, '--thetadata-plan', 'standard']
  const settings = ['--workers', '2', '--record', 'off', '--universe', symbols.join()]
  const service = await startService(temporaryFolder(), [...settings, ...source])
  for (const symbol of symbols) {
    const summary = () => service.ask(`/v1/exposure/summary/${symbol}`, service.keys.alpha)
    const isThere = async () => ((await summary()).status === 200 ? summary() : undefined)
    const { headers, json } = await eventually(`the summary of ${symbol}`, isThere, 90)
    expect(headers.get('x-data-source')).toBe('thetadata')
    expect(json).toMatchObject({ underlying_price: expect.closeTo(500, 6) })
  }
  // Indexes are loaded when they are first asked for.
  const vixState = () => service.ask('/v1/macro/vix-state', service.keys.alpha)
  await eventually('the state of the VIX', async () => (await vixState()).status === 200 || undefined, 90)
  // Records of earlier sessions are made of their closes meanwhile.
  const moves = () => service.ask('/v1/volatility/spot-vol-correlation/SPY', service.keys.alpha)
  await eventually('the records of SPY', async () => (await moves()).status === 200 || undefined, 120)
  if (hasContract && hasEngine) {
    const { failures, passed, output } = await contractCheck(service, 'SPY', undefined, 'exposure,volatility')
    expect(failures, output).toEqual([])
    expect(passed).toBeGreaterThan(30)
  }
  expect(highest).toBeLessThanOrEqual(4)
  expect((await service.stop()).code).toBe(0)
})
