import { describe, expect, test } from 'vitest'
import { budgetMemory } from '../../../src/connectors/port/http/request-budget.ts'
import type { SourceError, SourceFault } from '../../../src/connectors/port/source-error.ts'
import { thetadata as declaration } from '../../../src/connectors/thetadata/index.ts'
import type { Ticker } from '../../../src/market/units.ts'
import type { VendorAnswer } from '../../support/rest-vendor.ts'
import { market, NO_DATA, named, noon, pair, quoteOf, reportsOf, table, thetaOver } from './vendor.ts'

const SPY = 'SPY' as Ticker
const { signal } = new AbortController()
const at = (text: string) => Date.parse(text)
const wallClock = '2026-07-29T11:59:59'

describe('a chain', () => {
  test('joins quotes, volumes and open interest by contract, at the newest quote', async () => {
    const { theta, vendor } = await thetaOver()
    const chain = (await theta.chain(SPY, noon, signal))!
    expect(chain).toMatchObject({ symbol: 'SPY', size: 2, asOf: noon - 1000 })
    expect(chain.spot).toBeCloseTo(600.05, 10)
    expect(chain.quote).toMatchObject({ bid: 600, ask: 600.1, time: noon - 1000 })
    expect(chain.delay).toBeGreaterThanOrEqual(1)
    expect(chain.expirations).toEqual([{ date: '2026-07-31', root: 'SPY', settlement: 'pm', start: 0, end: 2 }])
    const { strike, right, bid, ask, bidSize, askSize, last, volume, openInterest } = chain
    // The put has not traded, and of the call nothing was published.
    expect(
      [strike, right, bid, ask, bidSize, askSize, last, volume, openInterest].map((column) => [...column])
    ).toEqual([
      [600, 600],
      [0, 1],
      [2, 2],
      [2.1, 2.1],
      [5, 5],
      [25, 25],
      [2.05, Number.NaN],
      [40, 0],
      [-1, 900]
    ])
    expect(vendor.asked.map(({ path }) => path).sort()).toEqual([
      '/v3/option/snapshot/ohlc',
      '/v3/option/snapshot/open_interest',
      '/v3/option/snapshot/quote',
      '/v3/stock/snapshot/quote'
    ])
    expect(vendor.asked[0].query).toEqual({ symbol: 'SPY', expiration: '*' })
  })

  test('asks for open interest once a day, and not before it is all published', async () => {
    const { theta, vendor } = await thetaOver()
    for (let round = 0; round < 3; round++) await theta.chain(SPY, noon, signal)
    const asked = () => vendor.asked.filter(({ path }) => path.endsWith('snapshot/open_interest')).length
    expect(asked()).toBe(1)
    await theta.chain(SPY, at('2026-07-30T16:00:00Z'), signal).catch(() => undefined) // nobody quotes on that day
    expect(asked()).toBeGreaterThan(1)
  })

  test('of an index is that of all its roots, at the price of the index', async () => {
    const of = (root: string) => pair(root).map((occ) => ({ ...named(occ), timestamp: wallClock, ...quoteOf(2, 2.1) }))
    const { theta, vendor } = await thetaOver(
      market({
        '/option/snapshot/quote': ({ path, query }) => table(path, of(query['symbol'])),
        '/index/snapshot/price': ({ path }) => table(path, [{ timestamp: wallClock, symbol: 'SPX', price: 6000.5 }])
      })
    )
    const chain = await theta.chain('SPX' as Ticker, noon, signal)
    expect(chain).toMatchObject({ size: 4, spot: 6000.5, quote: { bid: undefined, ask: undefined } })
    expect(chain!.expirations.map(({ root }) => root)).toEqual(['SPX', 'SPXW'])
    const asked = vendor.asked.filter(({ path }) => path.endsWith('snapshot/quote'))
    expect(asked.map(({ query }) => query['symbol']).sort()).toEqual(['SPX', 'SPXW'])
  })

  test('after the close stands at it: at the reported close, before that at the middle of the closing quote', async () => {
    const evening = at('2026-07-29T20:40:00Z')
    const answers = {
      '/stock/snapshot/quote': () =>
        table('/v3/stock/snapshot/quote', [{ symbol: 'SPY', timestamp: '2026-07-29T16:39:00', ...quoteOf(611, 612) }]),
      '/stock/at_time/quote': () =>
        table('/v3/stock/at_time/quote', [{ timestamp: '2026-07-29T16:00:00', ...quoteOf(601, 602) }])
    }
    const { theta, vendor } = await thetaOver(market(answers))
    const close = at('2026-07-29T20:00:00Z')
    expect(await theta.chain(SPY, evening, signal)).toMatchObject({ asOf: close, delay: 0, spot: 601.5 })
    expect(vendor.asked.find(({ path }) => path.endsWith('at_time/quote'))!.query).toMatchObject({
      start_date: '20260729',
      time_of_day: '16:00:00.000'
    })
    const { theta: later } = await thetaOver(
      market({ ...answers, '/stock/history/eod': reportsOf('2026-07-29', 601.2) })
    )
    const chain = await later.chain(SPY, evening, signal)
    expect(chain).toMatchObject({ spot: 601.2, quote: { bid: undefined, last: 601.2 } })
    expect([...chain!.volume]).toEqual([40, 0])
  })

  test('at night is that of the reports, with the open interest of that morning', async () => {
    const { theta } = await thetaOver(
      market({
        '/option/history/eod': reportsOf('2026-07-29', 0),
        '/stock/history/eod': reportsOf('2026-07-29', 601.2),
        '/option/history/open_interest': ({ path, query }) =>
          query['date'] === '20260729'
            ? table(
                path,
                pair('SPY').map((occ) => ({ ...named(occ), timestamp: '2026-07-29T06:30:04', open_interest: 31 }))
              )
            : NO_DATA
      })
    )
    const night = at('2026-07-30T07:00:00Z')
    const chain = (await theta.chain(SPY, night, signal))!
    expect(chain).toMatchObject({ size: 2, asOf: at('2026-07-29T20:00:00Z'), delay: 0, spot: 601.2 })
    expect([chain.bid, chain.volume, chain.openInterest, chain.last].map((column) => [...column])).toEqual([
      [2.3, 2.3],
      [70, 70],
      [31, 31],
      [2.4, 2.4]
    ])
    expect(await theta.closingChain(SPY, '2026-07-29' as never, signal)).toEqual(chain)
    expect(await theta.closingChain(SPY, '2026-07-28' as never, signal)).toBeUndefined()
    expect(await theta.closingChain(SPY, '2026-07-26' as never, signal)).toBeUndefined()
  })

  test('before the opening is of the new day: its open interest, no volume yet', async () => {
    const { theta } = await thetaOver(
      market({
        '/option/history/eod': reportsOf('2026-07-29', 0),
        '/stock/history/eod': reportsOf('2026-07-29', 601.2),
        '/option/snapshot/open_interest': ({ path }) =>
          table(path, [{ ...named(pair('SPY')[0]), timestamp: '2026-07-30T06:31:00', open_interest: 77 }])
      })
    )
    const morning = at('2026-07-30T12:00:00Z')
    const chain = (await theta.chain(SPY, morning, signal))!
    expect(chain).toMatchObject({ asOf: morning, spot: 601.2 })
    expect([...chain.volume]).toEqual([0, 0])
    expect([...chain.openInterest]).toEqual([77, -1])
  })

  test('before the open interest of the morning is published has that of the session before', async () => {
    const { theta } = await thetaOver(
      market({
        '/option/history/eod': reportsOf('2026-07-29', 0),
        '/stock/history/eod': reportsOf('2026-07-29', 601.2),
        '/option/snapshot/open_interest': () => NO_DATA,
        '/option/history/open_interest': ({ path, query }) =>
          query['date'] === '20260729'
            ? table(path, [{ ...named(pair('SPY')[0]), timestamp: '2026-07-29T06:30:04', open_interest: 31 }])
            : NO_DATA
      })
    )
    const early = at('2026-07-30T10:10:00Z')
    const chain = (await theta.chain(SPY, early, signal))!
    expect(chain.asOf).toBe(early)
    expect([...chain.openInterest]).toEqual([31, -1])
  })

  test('of the free plan is that of the newest reports, one request at a time', async () => {
    const { theta, vendor } = await thetaOver(
      market({
        '/option/history/eod': reportsOf('2026-07-28', 0),
        '/stock/history/eod': reportsOf('2026-07-28', 601.2)
      }),
      { plan: 'free' }
    )
    const close = at('2026-07-28T20:00:00Z')
    expect(await theta.chain(SPY, noon, signal)).toMatchObject({ size: 2, asOf: close, spot: 601.2 })
    expect(theta.latest(noon)).toBe(close)
    expect(vendor.asked.map(({ path }) => path).sort()).toEqual(['/v3/option/history/eod', '/v3/stock/history/eod'])
    expect(theta.budget!.perMinute).toBe(20)
  })

  test('of a symbol that the vendor does not list is none; of one that it lists a day without data is a fault', async () => {
    const { theta } = await thetaOver()
    expect(await theta.chain('NOSUCH' as Ticker, noon, signal)).toBeUndefined()
    const { theta: quiet } = await thetaOver(market({ '/option/snapshot/quote': () => NO_DATA }))
    await expect(quiet.chain(SPY, noon, signal)).rejects.toMatchObject({
      fault: 'unavailable',
      message: expect.stringMatching(/lists options of SPY/)
    })
  })

  test('whose underlying is delayed while its options are not is refused', async () => {
    const late = { symbol: 'SPY', timestamp: '2026-07-29T11:44:00', ...quoteOf(600, 600.1) }
    const { theta } = await thetaOver(market({ '/stock/snapshot/quote': ({ path }) => table(path, [late]) }))
    await expect(theta.chain(SPY, noon, signal)).rejects.toMatchObject({
      fault: 'refused',
      message: expect.stringMatching(/15 minutes older/)
    })
  })
})

test('daily bars are those of sessions that are over, a year a request', async () => {
  const { theta, vendor } = await thetaOver(
    market({
      '/stock/history/eod': ({ path, query }) =>
        table(
          path,
          ['2026-07-28', '2026-07-29']
            .filter((date) => date.replaceAll('-', '') <= query['end_date'])
            .filter((date) => date.replaceAll('-', '') >= query['start_date'])
            .map((date) => ({
              created: `${date}T17:16:00`,
              last_trade: `${date}T17:15:00`,
              open: 1,
              high: 9,
              low: 1,
              close: 4,
              volume: 100
            }))
        )
    })
  )
  expect(await theta.dailyBars(SPY, noon, signal)).toEqual([
    { date: '2026-07-28', open: 1, high: 9, low: 1, close: 4, volume: 100 }
  ])
  expect(vendor.asked.map(({ query }) => query['end_date']).at(-1)).toBe('20260728')
  expect(vendor.asked).toHaveLength(5)
})

const faults: readonly (readonly [number | string, SourceFault, RegExp, VendorAnswer])[] = [
  [404, 'unavailable', /--thetadata-url/, { status: 404 }],
  [429, 'rate_limited', /fewer requests/, { status: 429 }],
  [470, 'unavailable', /470: a general error/, { status: 470 }],
  [471, 'refused', /471: the account has no plan with it/, { status: 471 }],
  [474, 'unavailable', /474: it has lost its connection/, { status: 474 }],
  [476, 'refused', /476: .*127\.0\.0\.1 and localhost/, { status: 476 }],
  [478, 'refused', /478: .*second terminal/, { status: 478 }],
  [570, 'unavailable', /570: the request asks for too much/, { status: 570 }],
  [571, 'unavailable', /571: .*starting/, { status: 571 }],
  [572, 'unavailable', /572: /, { status: 572 }],
  [500, 'unavailable', /500/, { status: 500 }],
  ['another table', 'malformed', /the field timestamp is missing/, { body: 'time,symbol\r\n1,SPY\r\n' }],
  ['JSON', 'malformed', /its last line is not ended/, { body: '{"response":[]}' }],
  ['a body that breaks off', 'malformed', /broke off/, { body: 'timestamp,symbol,expiration\r\n', cut: 12 }]
]

test.each(faults)('%s is the fault %s', async (_, fault, message, answer) => {
  const { theta } = await thetaOver(market({ '/option/snapshot/quote': () => answer }))
  const error: SourceError = await theta.chain(SPY, noon, signal).then(
    () => expect.unreachable(),
    (reason) => reason
  )
  expect(error).toMatchObject({ fault, message: expect.stringMatching(message) })
})

test('a parameter that cannot be is an unknown symbol', async () => {
  const { theta } = await thetaOver(() => ({ status: 473, body: 'Invalid parameters' }))
  expect(await theta.chain('NO-SUCH' as Ticker, noon, signal)).toBeUndefined()
})

test('a terminal that does not run, or does not answer, is a fault in words', async () => {
  const { theta } = await thetaOver(market(), { url: 'http://127.0.0.1:9' })
  await expect(theta.chain(SPY, noon, signal)).rejects.toMatchObject({
    fault: 'unavailable',
    message: expect.stringMatching(/^the Theta Terminal cannot be reached/)
  })
  const slow = () => new Promise<VendorAnswer>(() => {})
  const { theta: mute } = await thetaOver(market({ '/option/snapshot/quote': slow }), {
    times: { answer: 50, again: 1 }
  })
  await expect(mute.chain(SPY, noon, signal)).rejects.toMatchObject({ fault: 'timeout' })
})

test('what fails in passing is asked for again', async () => {
  let asked = 0
  const { theta } = await thetaOver(
    market({ '/option/snapshot/quote': (request) => (asked++ === 0 ? { status: 571 } : market()(request)) })
  )
  expect(await theta.chain(SPY, noon, signal)).toMatchObject({ size: 2 })
})

test('no more requests are under way at once than the plan has, on all threads together', async () => {
  for (const [plan, most] of [
    ['value', 2],
    ['standard', 4],
    ['pro', 8]
  ] as const) {
    let [underWay, highest] = [0, 0]
    const slow = async (request: Parameters<ReturnType<typeof market>>[0]) => {
      highest = Math.max(highest, ++underWay)
      await new Promise((go) => setTimeout(go, 20))
      underWay--
      return market()(request)
    }
    const { theta, connect } = await thetaOver(slow, { plan, budget: budgetMemory() })
    const threads = [theta, connect()]
    const chains = await Promise.all(Array.from({ length: 6 }, (_, k) => threads[k % 2].chain(SPY, noon, signal)))
    expect(chains.map((chain) => chain?.size)).toEqual([2, 2, 2, 2, 2, 2])
    expect(highest).toBe(most)
  }
})

test('prints by themselves need the plan that has them: one sentence says so', () => {
  const values = { 'thetadata-url': 'x', 'thetadata-plan': 'value', 'thetadata-stream': 'x' } as const
  const use = { capabilities: ['prints'], asOf: undefined } as const
  expect(declaration.refusal!(values, use)).toMatch(
    /part of its plans standard and pro, and --thetadata-plan is value.*thetadata\.net/
  )
  for (const plan of ['standard', 'pro'] as const) {
    expect(declaration.refusal!({ ...values, 'thetadata-plan': plan }, use)).toBeUndefined()
  }
  expect(declaration.refusal!(values, { ...use, capabilities: ['chains', 'prints'] })).toBeUndefined()
})
