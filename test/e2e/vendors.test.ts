import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { latestSession, nextTradingDay, previousTradingDay, session } from '../../src/market/calendar.ts'
import { easternDate, easternDateTime, instantOfEastern } from '../../src/market/eastern.ts'
import { parYields } from '../../src/market/macro-series.ts'
import { alpacaLimit, KEYS } from '../connectors/alpaca/vendor.ts'
import { LinkVendor, restOf, SECRETS } from '../connectors/tastytrade/vendor.ts'
import { chainBody, datesBody, option, quoteBody, TOKEN, tradierLimit } from '../connectors/tradier/vendor.ts'
import { cboeOption, cboePayload } from '../support/cboe-payload.ts'
import { contractCheck, hasContract } from '../support/contract-check.ts'
import { hasEngine } from '../support/engine.ts'
import { RestVendor, type VendorConduct } from '../support/rest-vendor.ts'
import { payload, startSource } from '../support/source-server.ts'
import {
  eventually,
  gammawall,
  metric,
  type Service,
  startService,
  temporaryFolder
} from '../support/started-service.ts'
import { vendorBars, vendorMarket } from '../support/vendor-market.ts'

// The service over each vendor, as servers of the test play them.

const symbols = ['SPY', 'QQQ', 'IWM', 'AAPL']
/** Further symbols that the vendors know, because the contract's own check requests them. */
const others = ['MSFT', 'NVDA', 'SPX', 'VIX', 'VIX9D', 'VIX3M', 'VIX6M', 'VVIX', 'SKEW']
const isKnown = (symbol: string) => symbols.includes(symbol) || others.includes(symbol)

/** Every symbol that is known is worth 500 USD. */
const marketOf = (symbol: string) => vendorMarket(symbol, 500, Date.now())
const bars = () => vendorBars(500, Date.now())

const tradier: VendorConduct = ({ path, query }) => {
  const end = path.split('/').at(-1)!
  const name = query['symbol'] ?? query['symbols']
  if (!isKnown(name)) {
    if (end === 'quotes') return { body: { quotes: { unmatched_symbols: { symbol: name } } } }
    return { body: end === 'history' ? { history: null } : datesBody(null) }
  }
  const { symbol, spot, traded, expirations, options } = marketOf(name)
  const times = { trade_date: traded, bid_date: traded, ask_date: traded }
  if (end === 'expirations') return { body: datesBody(expirations) }
  if (end === 'history') return { body: { history: { day: bars() } } }
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

/** A service with the last sessions of SPY in its history, where the engine that keeps one is there. */
async function serviceOver(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Service> {
  const data = temporaryFolder()
  // The engine reads the symbolic links of its folder from where they lie.
  if (hasEngine) cpSync(await (imported ??= importedFolder()), data, { recursive: true, verbatimSymlinks: true })
  return startService(data, ['--workers', '2', '--universe', symbols.join(), ...args], env)
}

/** A data folder with the last sessions of SPY, imported once and copied for each service. */
let imported: Promise<string> | undefined

async function importedFolder(): Promise<string> {
  const data = temporaryFolder()
  const file = join(temporaryFolder(), 'chains.csv')
  writeFileSync(file, lastChains('SPY'))
  const { code, stderr } = await gammawall('import', 'csv', file, '--data', data)
  expect(code, stderr).toBe(0)
  return data
}

/** The closes of the last four sessions of a symbol as a table of end-of-day chains. */
function lastChains(symbol: string): string {
  const rows = ['date,symbol,occ,bid,ask,volume,open_interest,underlying_price']
  for (const { date, close } of bars().slice(-4)) {
    for (const { contract, bid, ask, volume, openInterest } of vendorMarket(symbol, close, session(date)!.close)
      .options) {
      rows.push([date, symbol, contract, bid, ask, volume, openInterest, close].join())
    }
  }
  return rows.join('\n')
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

/** Answers that need the chain of an index. */
const ofIndexes = ['volatility GET /v1/dispersion', 'volatility GET /v1/macro/vix-state']

/**
 * Expects all of the contract's exposure and volatility checks to pass, except those for which a source has no data.
 */
async function expectContract(service: Service, lacking: readonly string[] = []): Promise<void> {
  if (!hasContract || !hasEngine) return // figures of days before need a history
  // On a slow machine the first load of a symbol may take longer than a request waits.
  await eventually('an unknown symbol to be told as such', async () => {
    const { status } = await service.ask('/v1/exposure/gex/ZZZZQX', service.keys.alpha)
    return status === 404 ? true : undefined
  })
  const check = () => contractCheck(service, 'SPY', undefined, 'exposure,volatility')
  const first = await check()
  // On a slow machine a first question may wait for the limit of the source beyond its own deadline: it is asked again.
  const { failures, passed, output } = first.output.includes('answered 503') ? await check() : first
  expect(failures, output).toEqual(lacking)
  expect(passed).toBeGreaterThan(30)
}

test('Tradier serves exposure summaries, on several threads within one limit', { timeout: 420_000 }, async () => {
  const vendor = await RestVendor.start(tradier, tradierLimit(120, 60_000))
  const url = ['--source', 'tradier', '--tradier-url', `${vendor.url}/v1`]
  const service = await serviceOver(url, { GAMMAWALL_TRADIER_TOKEN: TOKEN })
  for (const { headers, json } of await summaries(service)) {
    expect(headers.get('x-data-source')).toBe('tradier')
    expect(json).toMatchObject({ underlying_price: 500 })
  }
  await expectContract(service)
  // Seven requests a chain: a list of dates, a quote, five dates.
  expect(await metric(service, 'gammawall_source_requests{source="tradier"}')).toBeGreaterThanOrEqual(28)
  expect(vendor.beyond).toBe(0)
  const { json } = await service.ask('/v1/universe', service.keys.alpha)
  expect(json?.['symbols']).toMatchObject(symbols.map((symbol) => ({ symbol, is_pre_warmed: true })))
  const { code, stdout, stderr } = await service.stop()
  expect(code).toBe(0)
  expect(stdout + stderr).not.toContain(TOKEN)
})

/** Aggregates of days, which begin at midnight of New York. */
const aggregates = () =>
  bars().map(({ date, open, high, low, close, volume }) => {
    return { t: instantOfEastern(date, 0), o: open, h: high, l: low, c: close, v: volume }
  })

/** Pages of 250 contracts of a symbol, followed by cursor. */
const massive: VendorConduct = ({ path, query }) => {
  const nothing = { body: { status: 'OK', resultsCount: 0 } }
  const asked = decodeURIComponent(path.split('/')[4] ?? '')
  const name = asked.replace(/^I:/, '')
  if (!isKnown(name)) return nothing
  if (path.startsWith('/v2/aggs/')) return { body: { status: 'OK', results: aggregates() } }
  if (!path.startsWith('/v3/snapshot/options/')) return nothing
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
    underlying_asset: { [asked === name ? 'price' : 'value']: spot, ticker: asked, last_updated: time }
  }))
  const next = new URLSearchParams({
    'expiration_date.gte': from,
    'expiration_date.lt': until,
    at: String(begin + 250)
  })
  const more = begin + 250 < listed.length ? { next_url: `https://api.massive.com${path}?${next}` } : {}
  return { body: { status: 'OK', results, ...more } }
}

/** Pages of a hundred contracts of a symbol, the share, and the open interest of the account. */
const alpaca: VendorConduct = ({ path, query }) => {
  const listed = (name: string) => {
    const { spot, traded, options } = isKnown(name) ? marketOf(name) : { ...marketOf('SPY'), options: [] }
    const at = Number(query['page_token'] ?? 0)
    const next = at + 100 < options.length ? String(at + 100) : null
    return { spot, t: new Date(traded).toISOString(), rows: options.slice(at, at + 100), next_page_token: next }
  }
  const name = path.split('/').at(-1)!
  if (path.startsWith('/v1beta1/options/snapshots/')) {
    const { t, rows, next_page_token } = listed(name)
    const snapshots = rows.map(({ contract, bid, ask, volume }) => [
      contract,
      { latestQuote: { bp: bid, ap: ask, bs: 10, as: 10, t }, latestTrade: { p: ask, t }, dailyBar: { v: volume, t } }
    ])
    return { body: { snapshots: Object.fromEntries(snapshots), next_page_token } }
  }
  if (path === '/v2/options/contracts') {
    const { rows, next_page_token } = listed(query['underlying_symbols'])
    const contracts = rows.map((row) => ({
      symbol: row.contract,
      size: '100',
      open_interest: String(row.openInterest),
      open_interest_date: previousTradingDay(latestSession(Date.now()).date)
    }))
    return { body: { option_contracts: contracts, next_page_token } }
  }
  if (name === 'bars') {
    const asked = query['symbols']
    const rows =
      isKnown(asked) && query['timeframe'] === '1Day'
        ? aggregates().map((bar) => ({ ...bar, t: new Date(bar.t).toISOString() }))
        : []
    return { body: { bars: { [asked]: rows }, next_page_token: null } }
  }
  const { spot, t } = listed(path.split('/').at(-2)!)
  return { body: { latestTrade: { p: spot, t }, dailyBar: { c: spot, t } } }
}

test.each([
  ['alone, but for what rests on indexes, which it has not', 'alpaca', ofIndexes],
  ['before Tradier, which has the indexes: whole', 'alpaca,tradier', []]
])('Alpaca serves what the contract wants %s', { timeout: 240_000 }, async (_, source, lacking) => {
  const vendor = await RestVendor.start(alpaca, alpacaLimit(200, 60_000))
  const second = await RestVendor.start(tradier, tradierLimit(120, 60_000))
  const places = { url: vendor.url, 'trading-url': vendor.url, stream: 'ws://127.0.0.1:9' }
  const addresses = Object.entries(places).flatMap(([name, place]) => [`--alpaca-${name}`, place])
  const keys = { GAMMAWALL_ALPACA_KEY: KEYS.key, GAMMAWALL_ALPACA_SECRET: KEYS.secret, GAMMAWALL_TRADIER_TOKEN: TOKEN }
  // Tradier's prints are those of contracts that are named, and none are.
  const ofSecond = lacking.length === 0 ? ['--tradier-url', `${second.url}/v1`] : []
  const args = ['--source', source, '--prints', 'alpaca', ...addresses, ...ofSecond]
  const service = await serviceOver(args, keys)
  for (const { headers, json } of await summaries(service)) {
    expect(headers.get('x-data-source')).toMatch(/^alpaca\b/)
    expect(json).toMatchObject({ underlying_price: 500 })
  }
  await expectContract(service, lacking)
  if (hasEngine && hasContract) expect(second.asked.length > 0).toBe(lacking.length === 0)
  expect([vendor.beyond, second.beyond]).toEqual([0, 0])
  const { code, stdout, stderr } = await service.stop()
  expect(code).toBe(0)
  expect(stdout + stderr).not.toContain(KEYS.secret)
})

/** The past of a symbol in the stream of tastytrade, the newest day first. */
function candlesOf(eventSymbol: string) {
  const days = bars().toReversed()
  return days.map(({ date, ...figures }, k) => {
    const eventFlags = (k === 0 ? 4 : 0) | (k === days.length - 1 ? 8 : 0)
    return { eventSymbol, eventFlags, time: Date.parse(`${date}T00:00:00Z`), ...figures }
  })
}

test('tastytrade serves what the contract wants from what its stream tells', {
  timeout: 240_000
}, async () => {
  const link = await new LinkVendor().start()
  const options = new Map(
    [...symbols, ...others].flatMap((symbol) => marketOf(symbol).options.map((option) => [option.contract, option]))
  )
  const { spot, traded } = marketOf('SPY')
  link.market = (type, eventSymbol) => {
    const { bid, ask, volume, openInterest } = options.get(eventSymbol.slice(1)) ?? {
      ...{ bid: spot - 0.01, ask: spot + 0.01, volume: 1, openInterest: 'NaN' }
    }
    if (type === 'Candle') return candlesOf(eventSymbol)
    if (type === 'Quote') return { eventSymbol, bidPrice: bid, askPrice: ask, bidSize: 10, askSize: 10 }
    if (type === 'Trade') return { eventSymbol, time: traded, price: (bid + ask) / 2, dayVolume: volume }
    return { eventSymbol, openInterest, dayClosePrice: (bid + ask) / 2, prevDayClosePrice: (bid + ask) / 2 }
  }
  const listed = ({ path }: { readonly path: string }) => {
    const symbol = path.split('/')[2]
    if (!isKnown(symbol)) return { status: 404 }
    const strikes = ({ contract }: { readonly contract: string }) => {
      const [call, put] = [contract.replace(/[CP](?=\d{8}$)/, 'C'), contract.replace(/[CP](?=\d{8}$)/, 'P')]
      const names = { 'call-streamer-symbol': `.${call}`, 'put-streamer-symbol': `.${put}` }
      return { 'strike-price': String(Number(contract.slice(-8)) / 1000), call, put, ...names }
    }
    const { expirations, options } = marketOf(symbol)
    const listed = expirations.map((date) => ({
      'expiration-date': date,
      strikes: options
        .filter(({ expiration, contract }) => expiration === date && /C\d{8}$/.test(contract))
        .map(strikes)
    }))
    return { body: { data: { items: [{ 'shares-per-contract': 100, expirations: listed }] } } }
  }
  const vendor = await RestVendor.start(restOf(link, { '/option-chains': listed }))
  const secrets = { GAMMAWALL_TASTYTRADE_SECRET: SECRETS.secret, GAMMAWALL_TASTYTRADE_TOKEN: SECRETS.token }
  const service = await serviceOver(['--source', 'tastytrade', '--tastytrade-url', vendor.url], secrets)
  for (const { headers, json } of await summaries(service)) {
    expect(headers.get('x-data-source')).toBe('tastytrade')
    expect(json).toMatchObject({ underlying_price: 500 })
  }
  await expectContract(service)
  const { code, stdout, stderr } = await service.stop()
  expect(code).toBe(0)
  expect(stdout + stderr).not.toContain('hidden')
})

test('Massive serves exposure summaries from pages of contracts', { timeout: 240_000 }, async () => {
  const vendor = await RestVendor.start(massive)
  const addresses = ['--massive-url', vendor.url, '--massive-stream', 'ws://127.0.0.1:9']
  const service = await serviceOver(['--source', 'massive', ...addresses], { GAMMAWALL_MASSIVE_KEY: TOKEN })
  for (const { headers, json } of await summaries(service)) {
    expect(headers.get('x-data-source')).toBe('massive')
    expect(json).toMatchObject({ underlying_price: 500 })
  }
  await expectContract(service)
  const { code, stdout, stderr } = await service.stop()
  expect(code).toBe(0)
  expect(stdout + stderr).not.toContain(TOKEN)
})

/** SPY as the delayed quotes of the exchange have it now. */
function delayedQuotes(): string {
  const { symbol, spot, traded, options } = marketOf('SPY')
  const time = easternDateTime(traded).slice(0, 19)
  return cboePayload({
    symbol,
    timestamp: new Date().toISOString().slice(0, 19).replace('T', ' '),
    underlying: { current_price: spot, close: spot, prev_day_close: spot, bid: spot, ask: spot, last_trade_time: time },
    options: options.map(({ contract, bid, ask, volume, openInterest }) =>
      cboeOption(contract, {
        bid,
        ask,
        volume,
        open_interest: openInterest,
        last_trade_price: ask,
        last_trade_time: time
      })
    )
  })
}

test('where Tradier is down the delayed quotes serve, and every answer says so', { timeout: 240_000 }, async () => {
  const down = await RestVendor.start(() => ({ status: 503 }))
  const exchange = await startSource()
  onTestFinished(() => exchange.close())
  exchange.conducts.set('SPY', payload(delayedQuotes()))
  const places = ['--tradier-url', `${down.url}/v1`, '--cboe-url', exchange.url]
  const args = ['--workers', '2', '--history', 'off', '--universe', 'SPY', '--source', 'tradier,cboe', ...places]
  const service = await startService(temporaryFolder(), args, { GAMMAWALL_TRADIER_TOKEN: TOKEN })
  const { headers } = await eventually(
    'the summary of SPY',
    async () => {
      const answer = await service.ask('/v1/exposure/summary/SPY', service.keys.alpha)
      return answer.status === 200 ? answer : undefined
    },
    90
  )
  expect(headers.get('x-data-source')).toBe('cboe')
  expect((await service.ask('/v1/exposure/summary/NOSUCH', service.keys.alpha)).status).not.toBe(200)
  expect(service.stdout()).toContain('tradier or cboe')
  expect(down.asked.length).toBeGreaterThan(0)
  expect((await service.stop()).code).toBe(0)
})

test.runIf(hasEngine)(
  'references state rates, macro and reports, live and in history',
  { timeout: 240_000 },
  async () => {
    const quotes = await RestVendor.start(tradier, tradierLimit(120, 60_000))
    const heading = ['Date', ...parYields.map(({ months }) => (months < 12 ? `${months} Mo` : `${months / 12} Yr`))]
    const days = bars()
      .slice(-8)
      .map(({ date }) => date)
    const written = (date: string) => `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`
    const yields = days.map((date, k) => [written(date), ...parYields.map(() => (4 + k / 100).toFixed(2))])
    const treasury = await RestVendor.start(() => ({ body: [heading, ...yields].map((row) => row.join()).join('\n') }))
    const bank = await RestVendor.start(({ path }) => {
      const type = path.includes('unsecured') ? 'EFFR' : 'SOFR'
      return { body: { refRates: days.map((date) => ({ effectiveDate: date, type, percentRate: 3.5 })) } }
    })
    const calendar = await RestVendor.start(({ query }) => {
      const row = { symbol: 'AAPL', name: 'Apple', time: 'time-after-hours', epsForecast: '$2.50' }
      const coming = nextTradingDay(nextTradingDay(easternDate(Date.now())))
      return { body: { data: { headers: {}, rows: query['date'] === coming ? [row] : null } } }
    })
    const down = await RestVendor.start(() => ({ status: 503 }))
    const places = ['--tradier-url', `${quotes.url}/v1`, '--treasury-url', treasury.url, '--nyfed-url', bank.url]
    const others = ['--nasdaq-url', calendar.url, '--cboe-indexes-url', down.url]
    const chosen = ['--rates', 'treasury,nyfed', '--macro', 'treasury,nyfed,cboe', '--earnings', 'nasdaq']
    const args = ['--workers', '1', '--universe', 'SPY,AAPL', '--source', 'tradier', ...places, ...others, ...chosen]
    const service = await startService(temporaryFolder(), args, { GAMMAWALL_TRADIER_TOKEN: TOKEN })
    const key = service.keys.alpha
    await eventually(
      'the rates',
      async () => {
        return (await metric(service, 'gammawall_rates_from{origin="published"}')) === 1 ? true : undefined
      },
      120
    )
    const macro = await eventually(
      'the macro figures',
      async () => {
        const { json } = await service.ask('/v1/vrp/SPY', key)
        const found = json?.['macro'] as Record<string, unknown> | undefined
        return found?.['fed_funds'] === 3.5 ? found : undefined
      },
      120
    )
    // The newest yield is of yesterday, and counts from this evening.
    expect([4.06, 4.07]).toContain(macro['dgs10'])
    const reports = await eventually(
      'the calendar',
      async () => {
        const { json } = await service.ask('/v1/earnings/calendar', key)
        return JSON.stringify(json).includes('AAPL') ? JSON.stringify(json) : undefined
      },
      120
    )
    expect(reports).toContain('2.5')
    const output = (await service.stop()).stderr + service.stdout()
    expect(output).toContain('a reference could not be read')
    expect(output).toContain('Cboe answers with status 503')
  }
)
