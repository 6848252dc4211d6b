import { expect, test } from 'vitest'
import { alpacaLimit, KEYS } from '../connectors/alpaca/vendor.ts'
import { LinkVendor, restOf, SECRETS } from '../connectors/tastytrade/vendor.ts'
import { chainBody, datesBody, option, quoteBody, TOKEN, tradierLimit } from '../connectors/tradier/vendor.ts'
import { contractCheck, hasContract } from '../support/contract-check.ts'
import { RestVendor, type VendorConduct } from '../support/rest-vendor.ts'
import { eventually, metric, type Service, startService, temporaryFolder } from '../support/started-service.ts'
import { vendorMarket } from '../support/vendor-market.ts'

// The service over each vendor, as servers of the test play them.

const symbols = ['SPY', 'QQQ', 'IWM', 'AAPL']
/** Those that a vendor knows. */
const known = [...symbols, 'MSFT', 'NVDA']

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

/** Runs the contract's own check where it is there. */
async function expectContract(service: Service): Promise<void> {
  if (!hasContract) return
  const { failures, passed, told } = await contractCheck(service, 'SPY')
  expect(failures, told).toEqual([])
  expect(passed).toBeGreaterThanOrEqual(20)
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

/** Pages of a hundred contracts of a symbol, the share, and the open interest of the account. */
const alpaca: VendorConduct = ({ path, query }) => {
  const listed = (name: string) => {
    const { spot, traded, options } = known.includes(name) ? marketOf(name) : { ...marketOf('SPY'), options: [] }
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
      open_interest: String(row.openInterest)
    }))
    return { body: { option_contracts: contracts, next_page_token } }
  }
  if (name !== 'snapshot') return { body: { bars: {}, next_page_token: null } }
  const { spot, t } = listed(path.split('/').at(-2)!)
  return { body: { latestTrade: { p: spot, t }, dailyBar: { c: spot, t } } }
}

test('Alpaca serves exposure summaries from pages, a share and the listing of the account', {
  timeout: 240_000
}, async () => {
  const vendor = await RestVendor.start(alpaca, alpacaLimit(200, 60_000))
  const addresses = [
    '--alpaca-url',
    vendor.url,
    '--alpaca-trading-url',
    vendor.url,
    '--alpaca-stream',
    'ws://127.0.0.1:9'
  ]
  const keys = { GAMMAWALL_ALPACA_KEY: KEYS.key, GAMMAWALL_ALPACA_SECRET: KEYS.secret }
  const service = await serviceOver(['--source', 'alpaca', ...addresses], keys)
  for (const { headers, json } of await summaries(service)) {
    expect(headers.get('x-data-source')).toBe('alpaca')
    expect(json).toMatchObject({ underlying_price: 500 })
  }
  expect(vendor.beyond).toBe(0)
  await expectContract(service)
  const { code, stdout, stderr } = await service.stop()
  expect(code).toBe(0)
  expect(stdout + stderr).not.toContain(KEYS.secret)
})

test('tastytrade serves exposure summaries from what its stream tells', { timeout: 240_000 }, async () => {
  const link = await LinkVendor.start()
  const options = new Map(
    known.flatMap((symbol) =>
      marketOf(symbol).options.map((option) => [option.contract, option])
    )
  )
  const { spot, traded } = marketOf('SPY')
  link.market = (type, eventSymbol) => {
    const { bid, ask, volume, openInterest } = options.get(eventSymbol.slice(1)) ?? {
      ...{ bid: spot - 0.01, ask: spot + 0.01, volume: 1, openInterest: 'NaN' }
    }
    if (type === 'Quote') return { eventSymbol, bidPrice: bid, askPrice: ask, bidSize: 10, askSize: 10 }
    if (type === 'Trade') return { eventSymbol, time: traded, price: (bid + ask) / 2, dayVolume: volume }
    return { eventSymbol, openInterest, dayClosePrice: (bid + ask) / 2, prevDayClosePrice: (bid + ask) / 2 }
  }
  const listed = ({ path }: { readonly path: string }) => {
    const symbol = path.split('/')[2]
    if (!known.includes(symbol)) return { status: 404 }
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
  const { code, stdout, stderr } = await service.stop()
  expect(code).toBe(0)
  expect(stdout + stderr).not.toContain(TOKEN)
})
