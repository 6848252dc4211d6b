import { describe, expect, test } from 'vitest'
import type { AlpacaRest } from '../../../src/connectors/alpaca/alpaca-rest.ts'
import { AlpacaListings } from '../../../src/connectors/alpaca/chains/alpaca-contracts.ts'
import { alpaca as declaration } from '../../../src/connectors/alpaca/index.ts'
import { budgetMemory } from '../../../src/connectors/port/http/request-budget.ts'
import type { SourceError, SourceFault } from '../../../src/connectors/port/source-error.ts'
import type { Ticker } from '../../../src/market/units.ts'
import type { VendorAnswer, VendorConduct } from '../../support/rest-vendor.ts'
import { alpacaLimit, alpacaOver, contract, KEYS, market, noon, option, share, usualNames, written } from './vendor.ts'

const SPY = 'SPY' as Ticker
const { signal } = new AbortController()
const none = Number.NaN

/** One page with these options. */
const page =
  (snapshots: object): VendorConduct =>
  () => ({ body: { snapshots, next_page_token: null } })

describe('a chain', () => {
  test('is made of pages, of the share and of the open interest of the account, at the newest quote', async () => {
    const { alpaca, vendor } = await alpacaOver()
    const chain = (await alpaca.chain(SPY, noon, signal))!
    expect(chain).toMatchObject({ symbol: 'SPY', size: 3, asOf: noon - 1000, spot: 600.05 })
    expect(chain.delay).toBeGreaterThanOrEqual(1)
    expect(chain.quote).toEqual({ bid: undefined, ask: undefined, last: 600.05, time: noon - 2000 })
    const { bid, ask, last, bidSize, askSize, volume, openInterest } = chain
    expect([bid, ask, last, bidSize, askSize, volume, openInterest].map(([figure]) => figure)).toEqual([
      2, 2.1, 2.05, 10, 12, 120, 4000
    ])
    const paths = vendor.asked.map(({ path }) => path)
    expect(paths.filter((path) => path === '/v1beta1/options/snapshots/SPY')).toHaveLength(3)
    const [first] = vendor.asked.filter(({ path }) => path.includes('options/snapshots'))
    expect(first.query).toEqual({ feed: 'indicative', limit: '1000', expiration_date_gte: '2026-07-29' })
    const feeds = vendor.asked.filter(({ path }) => path.endsWith('/snapshot')).map(({ query }) => query['feed'])
    expect(feeds).toEqual(['iex'])
    const [listing] = vendor.asked.filter(({ path }) => path === '/v2/options/contracts')
    expect(listing.query).toMatchObject({
      underlying_symbols: 'SPY',
      expiration_date_gte: '2026-07-29',
      limit: '10000'
    })
    expect(Number(listing.query['expiration_date_lte'].slice(0, 4))).toBeGreaterThan(2035)
    for (const { headers } of vendor.asked) {
      expect(headers).toMatchObject({ 'apca-api-key-id': KEYS.key, 'apca-api-secret-key': KEYS.secret })
    }
  })

  test('has the listing of an hour ago, and a new one on a new day', async () => {
    const { alpaca, vendor } = await alpacaOver()
    const listings = () => vendor.asked.filter(({ path }) => path === '/v2/options/contracts').length
    await alpaca.chain(SPY, noon, signal)
    await alpaca.chain(SPY, noon + 3_500_000, signal)
    expect(listings()).toBe(1)
    await alpaca.chain(SPY, noon + 3_700_000, signal)
    expect(listings()).toBe(2)
    await alpaca.chain(SPY, noon + 86_400_000, signal)
    expect(listings()).toBe(3)
  })

  test('has a listing anew once 200 others were read since', async () => {
    const asked: string[] = []
    const pages: AlpacaRest['pages'] = async function* ({ query }) {
      asked.push(query['underlying_symbols'])
      yield { option_contracts: [] }
    }
    const listings = new AlpacaListings({ pages } as AlpacaRest)
    const symbols = Array.from({ length: 201 }, (_, k) => `S${k}` as Ticker)
    for (const symbol of [...symbols, ...symbols.slice(1), symbols[0]]) await listings.of(symbol, noon, signal)
    expect(asked).toEqual([...symbols, symbols[0]])
  })

  test('leaves out adjusted contracts, other sizes and roots; what is not listed has no open interest', async () => {
    const snapshots = { [usualNames[0]]: option(), SPY1260731C00600000: option(), QQQ260731C00600000: option() }
    const more = {
      ...snapshots,
      [usualNames[1]]: option(),
      [usualNames[2]]: option({ latestQuote: { ...option().latestQuote, bp: -1 } })
    }
    const { alpaca } = await alpacaOver(
      market({
        'snapshots/SPY': page(more),
        'options/contracts': () => ({
          body: {
            option_contracts: [contract(usualNames[1], { size: '10' }), contract('X', { open_interest: undefined })],
            next_page_token: null
          }
        })
      })
    )
    let reading: unknown
    const chain = await alpaca.chain(SPY, noon, signal, (_, received) => {
      reading = received!.reading
    })
    expect([...chain!.openInterest]).toEqual([-1])
    expect(reading).toEqual({ rows: 5, unreadable: 1, unusable: 1, unusableLiquid: 1, impossibleInterest: 0 })
  })

  test('has the open interest that was known in its session, and none of a later day', async () => {
    const dates = ['2026-07-28', '2026-07-27', '2026-07-30']
    const listed = usualNames.map((name, k) => contract(name, { open_interest_date: dates[k] }))
    const snapshots = Object.fromEntries(usualNames.map((name) => [name, option()]))
    const of = async (option_contracts: readonly object[]) => {
      const { alpaca } = await alpacaOver(
        market({
          'snapshots/SPY': page(snapshots),
          'options/contracts': () => ({ body: { option_contracts, next_page_token: null } })
        })
      )
      const { strike, right, openInterest, expirations } = (await alpaca.chain(SPY, noon, signal))!
      expect([expirations.length, [...strike], [...right]]).toEqual([2, [600, 600, 600], [0, 1, 0]])
      return [...openInterest]
    }
    expect(await of(listed)).toEqual([4000, 4000, -1])
    expect(await of(usualNames.map((name) => contract(name, { open_interest_date: undefined })))).toEqual([-1, -1, -1])
  })

  test('of the next day has the newest open interest that is listed', async () => {
    const { alpaca } = await alpacaOver()
    const morning = Date.parse('2026-07-30T12:00:00Z')
    expect([...(await alpaca.chain(SPY, morning, signal))!.openInterest]).toEqual([4000, 4000, 4000])
  })

  test('has the volume of the day of a contract that traded in it, and none that is made up', async () => {
    const before = written(noon - 86_400_000)
    const snapshots = {
      [usualNames[0]]: option({ latestTrade: { ...option().latestTrade, t: before } }),
      [usualNames[1]]: option({ dailyBar: undefined }),
      [usualNames[2]]: option({ latestQuote: { ...option().latestQuote, t: before } })
    }
    const { alpaca } = await alpacaOver(market({ 'snapshots/SPY': page(snapshots) }))
    const chain = (await alpaca.chain(SPY, noon, signal))!
    expect([...chain.volume]).toEqual([0, -1, 120])
    expect([...chain.bid]).toEqual([2, 2, none])
  })

  test('has the quote of the share where it is that of all exchanges', async () => {
    const { alpaca } = await alpacaOver(market(), { stocks: 'sip' })
    const chain = await alpaca.chain(SPY, noon, signal)
    expect(chain!.spot).toBeCloseTo(600.05, 9)
    expect(chain!.quote).toEqual({ bid: 600, ask: 600.1, last: 600.05, time: noon - 1000 })
  })

  test('of late options has the price of the share at their time', async () => {
    const late = option({
      latestQuote: { ...option().latestQuote, t: written(noon - 900_000) },
      latestTrade: { ...option().latestTrade, t: written(noon - 900_000) }
    })
    const minutes = [-17, -16, -15].map((ago) => ({
      ...{ o: 1, h: 1, l: 1, c: 600 + ago, v: 1 },
      t: written(noon + 60_000 * ago)
    }))
    const { alpaca, vendor } = await alpacaOver(
      market({
        'snapshots/SPY': page({ [usualNames[0]]: late }),
        'stocks/bars': () => ({ body: { bars: { SPY: minutes }, next_page_token: null } })
      })
    )
    // The minute that begins a quarter of an hour ago is not over at the time of the options.
    expect(await alpaca.chain(SPY, noon, signal)).toMatchObject({ asOf: noon - 900_000, spot: 584 })
    expect(vendor.asked.at(-1)!.query).toMatchObject({ feed: 'iex', timeframe: '1Min', symbols: 'SPY' })
    const { alpaca: bare } = await alpacaOver(market({ 'snapshots/SPY': page({ [usualNames[0]]: late }) }))
    await expect(bare.chain(SPY, noon, signal)).rejects.toMatchObject({
      fault: 'unavailable',
      message: expect.stringContaining('--alpaca-stocks')
    })
  })

  test('after the close stands at it, and before the opening is of the new day', async () => {
    const close = Date.parse('2026-07-29T20:00:00Z')
    const late = share({ latestTrade: { p: 603, t: written(close + 60_000) } })
    const { alpaca } = await alpacaOver(market({ 'SPY/snapshot': () => ({ body: late }) }))
    expect(await alpaca.chain(SPY, close + 3_600_000, signal)).toMatchObject({ asOf: close, delay: 0, spot: 600.05 })
    const morning = Date.parse('2026-07-30T12:00:00Z')
    const chain = (await alpaca.chain(SPY, morning, signal))!
    expect(chain).toMatchObject({ spot: 600.05, delay: 0 })
    expect(chain.asOf).toBeGreaterThanOrEqual(morning)
    expect([...chain.volume]).toEqual([0, 0, 0])
  })

  test('of an index, of a symbol that is not known or has no options, is none', async () => {
    const { alpaca, vendor } = await alpacaOver(
      market({ 'snapshots/SPY': page({}), 'SPY/snapshot': () => ({ status: 404 }) })
    )
    expect(await alpaca.chain('SPX' as Ticker, noon, signal)).toBeUndefined()
    expect(vendor.asked).toHaveLength(0)
    expect(await alpaca.chain(SPY, noon, signal)).toBeUndefined()
    expect(alpaca.tickers).not.toContain('SPX')
  })

  test('is fetched again where one answer failed in passing', async () => {
    let asked = 0
    const { alpaca } = await alpacaOver(
      market({ 'SPY/snapshot': () => (asked++ === 0 ? { status: 503 } : { body: share() }) })
    )
    expect(await alpaca.chain(SPY, noon, signal)).toMatchObject({ size: 3 })
  })
})

test('a page that comes again under another name is a fault', async () => {
  let pages = 0
  const again: VendorConduct = () => ({
    body: { snapshots: { [usualNames[0]]: option() }, next_page_token: String(++pages) }
  })
  const { alpaca } = await alpacaOver(market({ 'snapshots/SPY': again }))
  await expect(alpaca.chain(SPY, noon, signal)).rejects.toMatchObject({
    fault: 'malformed',
    message: expect.stringContaining('a page of it comes again (next_page_token)')
  })
  expect(pages).toBe(2)
})

test('daily bars are those of sessions that are over, of all exchanges', async () => {
  const bar = (date: string, c: number) => ({ ...{ o: 1, h: 9, l: 1, v: 100, n: 5, vw: 2 }, c, t: `${date}T04:00:00Z` })
  const bars = { SPY: [bar('2026-07-27', 3), bar('2026-07-28', 4), bar('2026-07-29', 5)] }
  const { alpaca, vendor } = await alpacaOver(
    market({ 'stocks/bars': () => ({ body: { bars, next_page_token: null } }) })
  )
  expect(await alpaca.dailyBars(SPY, noon, signal)).toEqual([
    { date: '2026-07-27', open: 1, high: 9, low: 1, close: 3, volume: 100 },
    { date: '2026-07-28', open: 1, high: 9, low: 1, close: 4, volume: 100 }
  ])
  expect(vendor.asked[0].query).toMatchObject({ symbols: 'SPY', timeframe: '1Day', feed: 'sip', adjustment: 'split' })
  expect(Date.parse(vendor.asked[0].query['end'])).toBe(noon - 16 * 60_000)
  expect(await alpaca.dailyBars('QQQ' as Ticker, noon, signal)).toEqual([])
  expect(await alpaca.dailyBars('SPX' as Ticker, noon, signal)).toEqual([])
})

const pages = { snapshots: { [usualNames[0]]: option() }, next_page_token: null }
const faults: readonly (readonly [string, SourceFault, RegExp, VendorAnswer])[] = [
  ['401', 'refused', /GAMMAWALL_ALPACA_KEY and GAMMAWALL_ALPACA_SECRET/, { status: 401 }],
  ['403', 'refused', /--alpaca-feed/, { status: 403, body: { message: 'subscription does not permit' } }],
  ['429', 'rate_limited', /fewer requests/, { status: 429, headers: { 'X-RateLimit-Remaining': '0' } }],
  ['500', 'unavailable', /500/, { status: 500 }],
  ['404', 'unavailable', /--alpaca-url/, { status: 404 }],
  ['HTML', 'malformed', /not JSON/, { body: '<html>' }],
  ['a body that breaks off', 'malformed', /broke off/, { body: pages, cut: 40 }],
  ['a list without its end', 'malformed', /next_page_token is missing/, { body: { snapshots: pages.snapshots } }],
  ['a list that goes round', 'malformed', /do not end/, { body: { ...pages, next_page_token: 'again' } }]
]

test.each(faults)('%s is the fault %s', async (_, fault, message, answer) => {
  const { alpaca } = await alpacaOver(market({ 'snapshots/SPY': () => answer }))
  const error: SourceError = await alpaca.chain(SPY, noon, signal).then(
    () => expect.unreachable(),
    (reason) => reason
  )
  expect(error).toMatchObject({ fault, message: expect.stringMatching(message) })
  expect(error.message).not.toContain(KEYS.secret)
})

test('an answer that does not come is a timeout, and a server that is not there unavailable', async () => {
  const mute = market({ 'snapshots/SPY': () => new Promise(() => {}) })
  const { alpaca } = await alpacaOver(mute, { times: { answer: 50 } })
  await expect(alpaca.chain(SPY, noon, signal)).rejects.toMatchObject({ fault: 'timeout' })
  const { alpaca: lost } = await alpacaOver(market(), { url: 'http://127.0.0.1:9' })
  await expect(lost.chain(SPY, noon, signal)).rejects.toMatchObject({ fault: 'unavailable' })
})

describe('the limit of requests', () => {
  test('counts every request of a chain that has more pages than there is room for', async () => {
    const { alpaca, vendor } = await alpacaOver(market(), { requestsPerMinute: 3, times: { minute: 50 } })
    await alpaca.chain(SPY, noon, signal)
    await alpaca.chain(SPY, noon, signal)
    expect(vendor.asked).toHaveLength(9)
    expect(alpaca.budget!.given).toBe(9)
  })

  test('is kept by all symbols and threads together, while every chain comes', async () => {
    const budget = budgetMemory()
    const every = 1500
    const more = { requestsPerMinute: 12, budget, times: { minute: every + 500 } }
    const plain = market()
    // The account counts for itself.
    const conduct: VendorConduct = (request) => plain(request)
    const { vendor, alpaca, connect } = await alpacaOver(conduct, more, alpacaLimit(12, every))
    const threads = [alpaca, connect()]
    const symbols = ['SPY', 'QQQ', 'IWM', 'DIA'] as readonly string[] as readonly Ticker[]
    const chains = await Promise.allSettled(symbols.map((symbol, k) => threads[k % 2].chain(symbol, noon, signal)))
    expect(chains.map(({ status }) => status)).toContain('fulfilled')
    expect(vendor.beyond).toBe(0)
    expect(vendor.asked.length).toBeGreaterThan(12)
  })

  test('that is met is told with the wait until the vendor counts anew', async () => {
    const headers = alpacaLimit(200, 60_000).headers({ left: 0, endsAt: Date.now() + 30_000 })
    const { alpaca } = await alpacaOver(market({ 'snapshots/SPY': () => ({ status: 429, headers }) }))
    const error = await alpaca.chain(SPY, noon, signal).catch((reason) => reason)
    expect(error).toMatchObject({ fault: 'rate_limited' })
    expect(error.retryAfter).toBeGreaterThan(28_000)
    expect(error.retryAfter).toBeLessThanOrEqual(31_000)
  })
})

test('without its keys the service ends with the variable that is missing and where keys are had', () => {
  const use = { capabilities: ['chains'], asOf: undefined } as const
  const values = {
    'alpaca-key': undefined,
    'alpaca-secret': undefined,
    'alpaca-feed': 'indicative',
    'alpaca-stocks': 'iex',
    'alpaca-quotes': 0,
    'alpaca-requests': 200,
    'alpaca-url': 'https://x',
    'alpaca-trading-url': 'https://x',
    'alpaca-stream': 'wss://x'
  } as const
  expect(declaration.refusal!(values, use)).toMatch(/needs a key ID.*GAMMAWALL_ALPACA_KEY.*alpaca\.markets/)
  const half = { ...values, 'alpaca-key': 'k' }
  expect(declaration.refusal!(half, use)).toMatch(/GAMMAWALL_ALPACA_SECRET.*--alpaca-secret-file/)
  expect(declaration.refusal!({ ...half, 'alpaca-secret': 's' }, use)).toBeUndefined()
  expect(declaration.refusal!(half, { ...use, asOf: noon })).toMatch(/--as-of/)
})
