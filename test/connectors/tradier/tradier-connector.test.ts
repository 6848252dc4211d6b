import { describe, expect, test } from 'vitest'
import { budgetMemory } from '../../../src/connectors/port/http/request-budget.ts'
import type { SourceError, SourceFault } from '../../../src/connectors/port/source-error.ts'
import { tradier as declaration } from '../../../src/connectors/tradier/index.ts'
import type { Ticker } from '../../../src/market/units.ts'
import type { VendorAnswer } from '../../support/rest-vendor.ts'
import {
  chainBody,
  dates,
  datesBody,
  market,
  noon,
  option,
  pairOf,
  quoteBody,
  TOKEN,
  tradierLimit,
  tradierOver
} from './vendor.ts'

const SPY = 'SPY' as Ticker
const { signal } = new AbortController()

describe('a chain', () => {
  test('is made of the underlying and of every expiration, at the newest quote in them', async () => {
    const { tradier, vendor } = await tradierOver()
    const chain = await tradier.chain(SPY, noon, signal)
    expect(chain).toMatchObject({ symbol: 'SPY', size: 6, spot: 600.05, quote: { bid: 600, ask: 600.1, last: 600.05 } })
    expect(chain!.asOf).toBe(noon - 1000)
    expect(chain!.expirations.map(({ date }) => date)).toEqual(dates)
    expect(vendor.asked.map(({ path }) => path)[0]).toBe('/v1/markets/options/expirations')
    expect(vendor.asked[0].query).toEqual({ symbol: 'SPY', includeAllRoots: 'true' })
    expect(vendor.asked.find(({ path }) => path.endsWith('chains'))?.query).toMatchObject({ greeks: 'false' })
    expect(new Set(vendor.asked.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${TOKEN}`]))
    expect(new Set(vendor.asked.map(({ headers }) => headers.accept))).toEqual(new Set(['application/json']))
  })

  test('of an index has its weekly root, and no quote of the underlying', async () => {
    const conduct = market({
      quotes: () => ({ body: quoteBody({ symbol: 'SPX', last: 6000, bid: 5990, ask: 6010 }) }),
      expirations: () => ({ body: datesBody('2026-08-21') }),
      chains: () => ({ body: chainBody([...pairOf('SPX', '2026-08-21'), ...pairOf('SPXW', '2026-08-21')]) })
    })
    const { tradier } = await tradierOver(conduct)
    const chain = await tradier.chain('SPX' as Ticker, noon, signal)
    expect(chain).toMatchObject({ size: 4, spot: 6000, quote: { bid: undefined, ask: undefined } })
    expect(chain!.expirations.map(({ root, settlement }) => [root, settlement])).toEqual([
      ['SPX', 'am'],
      ['SPXW', 'pm']
    ])
  })

  test('takes one date and one contract without a list', async () => {
    const conduct = market({
      expirations: () => ({ body: datesBody('2026-07-31') }),
      chains: () => ({ body: chainBody(option('SPY260731C00600000')) })
    })
    const { tradier } = await tradierOver(conduct)
    expect(await tradier.chain(SPY, noon, signal)).toMatchObject({ size: 1 })
  })

  test('leaves out adjusted contracts, those of other sizes and roots, and quotes below zero', async () => {
    const options = [
      option('SPY260731C00600000'),
      option('SPY1260731C00600000'),
      option('SPY260731C00610000', { contract_size: 10 }),
      option('QQQ260731C00600000'),
      option('SPY260731C00620000', { bid: -1 })
    ]
    const conduct = market({
      expirations: () => ({ body: datesBody('2026-07-31') }),
      chains: () => ({ body: chainBody(options) })
    })
    const { tradier } = await tradierOver(conduct)
    let reading: unknown
    const chain = await tradier.chain(SPY, noon, signal, (_, received) => {
      reading = received!.reading
    })
    expect(chain).toMatchObject({ size: 1 })
    expect(reading).toEqual({ rows: 5, unreadable: 1, unusable: 1, unusableLiquid: 1, impossibleInterest: 0 })
  })

  test('after the close stands at it, at the closing price', async () => {
    const close = Date.parse('2026-07-29T20:00:00Z')
    const late = { trade_date: close + 3000, close: 601.2, last: 603 }
    const { tradier } = await tradierOver(market({ quotes: () => ({ body: quoteBody(late) }) }))
    const chain = await tradier.chain(SPY, close + 3_600_000, signal)
    expect(chain).toMatchObject({ asOf: close, delay: 0, spot: 601.2, quote: { bid: undefined, last: 601.2 } })
  })

  test('before the opening is of the new day: no volume yet, and the close before as spot', async () => {
    const morning = Date.parse('2026-07-30T12:00:00Z')
    const { tradier } = await tradierOver(market({ quotes: () => ({ body: quoteBody({ close: 601.2 }) }) }))
    const chain = await tradier.chain(SPY, morning, signal)
    expect(chain).toMatchObject({ spot: 601.2, delay: 0 })
    expect(chain!.asOf).toBeGreaterThanOrEqual(morning)
    expect([...chain!.volume]).toEqual([0, 0, 0, 0, 0, 0])
    expect([...chain!.openInterest]).toEqual([4000, 4000, 4000, 4000, 4000, 4000])
  })

  test('of a symbol without options is empty, of one that is not known undefined', async () => {
    const none = market({ expirations: () => ({ body: datesBody(null) }) })
    const { tradier } = await tradierOver(none)
    expect(await tradier.chain('ABCD' as Ticker, noon, signal)).toMatchObject({ size: 0, spot: 600.05 })
    const unmatched = { quotes: { unmatched_symbols: { symbol: 'NOSUCH' } } }
    const { tradier: other } = await tradierOver(
      market({ expirations: () => ({ body: datesBody(null) }), quotes: () => ({ body: unmatched }) })
    )
    expect(await other.chain('NOSUCH' as Ticker, noon, signal)).toBeUndefined()
  })

  test('of a class of shares is asked for as the vendor writes it', async () => {
    const { tradier, vendor } = await tradierOver(
      market({
        chains: ({ query }) => ({
          body: chainBody(pairOf('BRKB', query['expiration']))
        })
      })
    )
    expect(await tradier.chain('BRK.B' as Ticker, noon, signal)).toMatchObject({ symbol: 'BRK.B', size: 6 })
    expect(vendor.asked[0].query['symbol']).toBe('BRK/B')
  })

  test('is fetched again where one answer failed in passing', async () => {
    let asked = 0
    const broken: VendorAnswer = { status: 502 }
    const { tradier } = await tradierOver(
      market({ expirations: () => (asked++ === 0 ? broken : { body: datesBody(dates) }) })
    )
    expect(await tradier.chain(SPY, noon, signal)).toMatchObject({ size: 6 })
  })
})

test('daily bars are those of sessions that are over, ascending', async () => {
  const day = (date: string, close: number) => ({ date, open: 1, high: 9, low: 1, close, volume: 100 })
  const history = { history: { day: [day('2026-07-29', 5), day('2026-07-27', 3), day('2026-07-28', 4)] } }
  const { tradier, vendor } = await tradierOver(market({ history: () => ({ body: history }) }))
  expect(await tradier.dailyBars(SPY, noon, signal)).toEqual([
    { date: '2026-07-27', open: 1, high: 9, low: 1, close: 3, volume: 100 },
    { date: '2026-07-28', open: 1, high: 9, low: 1, close: 4, volume: 100 }
  ])
  expect(vendor.asked[0].query).toMatchObject({ symbol: 'SPY', interval: 'daily', end: '2026-07-29' })
  const { tradier: none } = await tradierOver()
  expect(await none.dailyBars(SPY, noon, signal)).toEqual([])
})

const faults: readonly (readonly [string, SourceFault, RegExp, VendorAnswer])[] = [
  ['401', 'refused', /GAMMAWALL_TRADIER_TOKEN/, { status: 401, body: 'Invalid Access Token' }],
  ['403', 'refused', /403/, { status: 403 }],
  ['429', 'rate_limited', /fewer requests/, { status: 429, headers: { 'x-ratelimit-available': '0' } }],
  ['502', 'unavailable', /502/, { status: 502 }],
  ['503', 'unavailable', /503/, { status: 503 }],
  ['504', 'unavailable', /504/, { status: 504 }],
  ['404', 'unavailable', /--tradier-url/, { status: 404 }],
  ['XML', 'malformed', /not JSON/, { body: '<expirations><date>2026-07-31</date></expirations>' }],
  ['a text about the quota', 'malformed', /not JSON/, { body: 'Quota Violation' }],
  ['a body that breaks off', 'malformed', /broke off/, { body: datesBody(dates), cut: 20 }],
  ['a field that is missing', 'malformed', /the field expirations is missing/, { body: {} }]
]

test.each(faults)('%s is the fault %s', async (_, fault, message, answer) => {
  const { tradier } = await tradierOver(market({ expirations: () => answer }))
  const error: SourceError = await tradier.chain(SPY, noon, signal).then(
    () => expect.unreachable(),
    (reason) => reason
  )
  expect(error).toMatchObject({ fault, message: expect.stringMatching(message) })
  expect(error.message).not.toContain(TOKEN)
})

test('an answer that does not come is a timeout, and a server that is not there unavailable', async () => {
  const { tradier } = await tradierOver(market({ expirations: () => new Promise(() => {}) }), { times: { answer: 50 } })
  await expect(tradier.chain(SPY, noon, signal)).rejects.toMatchObject({ fault: 'timeout' })
  const { tradier: lost } = await tradierOver(market(), { url: 'http://127.0.0.1:9' })
  await expect(lost.chain(SPY, noon, signal)).rejects.toMatchObject({ fault: 'unavailable' })
})

describe('the limit of requests', () => {
  test('is kept by all symbols and threads together, while every chain comes', async () => {
    const budget = budgetMemory()
    const every = 1500
    const more = { requestsPerMinute: 12, budget, times: { minute: every + 500 } }
    const { vendor, tradier, connect } = await tradierOver(market(), more, tradierLimit(12, every))
    const threads = [tradier, connect()]
    const symbols = ['SPY', 'QQQ', 'IWM', 'DIA', 'GLD', 'TLT'] as readonly string[] as readonly Ticker[]
    const chains = await Promise.all(symbols.map((symbol, k) => threads[k % 2].chain(symbol, noon, signal)))
    expect(chains.map((chain) => chain?.size)).toEqual([6, 6, 6, 6, 6, 6])
    expect(vendor.beyond).toBe(0)
    expect(vendor.asked).toHaveLength(30)
    expect(threads.map((thread) => thread.budget!.given)).toEqual([30, 30])
  })

  test('is followed where the vendor tells another one', async () => {
    const every = 1000
    const more = { requestsPerMinute: 100, times: { minute: every + 400 } }
    const { vendor, tradier } = await tradierOver(market(), more, tradierLimit(5, every))
    for (let round = 0; round < 3; round++) await tradier.chain(SPY, noon, signal)
    expect(vendor.beyond).toBe(0)
    expect(tradier.budget!.perMinute).toBeCloseTo((5 * 60_000) / 1400)
  })

  test('that is met in the middle of a chain is waited for where its end is near', async () => {
    let asked = 0
    const soon = () => tradierLimit(120, 60_000).headers({ left: 0, endsAt: Date.now() + 200 })
    const { tradier } = await tradierOver(
      market({ quotes: () => (asked++ === 0 ? { status: 429, headers: soon() } : { body: quoteBody() }) })
    )
    expect(await tradier.chain(SPY, noon, signal)).toMatchObject({ size: 6 })
    expect(asked).toBe(2)
  })

  test('that is used up by another program is waited for until the vendor says', async () => {
    const every = 60_000
    const headers = tradierLimit(120, every).headers({ left: 0, endsAt: Date.now() + 30_000 })
    const { tradier } = await tradierOver(market({ expirations: () => ({ status: 429, headers }) }))
    const error = await tradier.chain(SPY, noon, signal).catch((reason) => reason)
    expect(error).toMatchObject({ fault: 'rate_limited' })
    expect(error.retryAfter).toBeGreaterThan(28_000)
    expect(error.retryAfter).toBeLessThanOrEqual(30_000)
  })
})

test('without a token the service ends with the variable and where a token is had', () => {
  const use = { capabilities: ['chains'], asOf: undefined } as const
  const more = { 'tradier-contracts': 0, 'tradier-stream': 'wss://x' }
  const values = { 'tradier-token': undefined, 'tradier-url': 'https://x', 'tradier-requests': 120, ...more }
  expect(declaration.refusal!(values, use)).toMatch(/GAMMAWALL_TRADIER_TOKEN.*tradier\.com/)
  expect(declaration.refusal!({ ...values, 'tradier-token': 't' }, use)).toBeUndefined()
  const prints = { ...use, capabilities: ['prints'] } as const
  expect(declaration.refusal!({ ...values, 'tradier-token': 't' }, prints)).toMatch(/--tradier-contracts of how many/)
  const some = { ...values, 'tradier-token': 't', 'tradier-contracts': 500 }
  expect(declaration.refusal!(some, prints)).toBeUndefined()
})
