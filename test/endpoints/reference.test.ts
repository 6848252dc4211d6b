import { expect, test } from 'vitest'
import { answer } from '../../src/api/answer.ts'
import { ApiError } from '../../src/api/error.ts'
import type { AccountView } from '../../src/api/inputs/account.ts'
import type { Catalogue } from '../../src/api/inputs/catalogue.ts'
import { readParameters } from '../../src/api/params.ts'
import { easternDate } from '../../src/market/eastern.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { endpointAt, type Query, textOf } from '../support/asking.ts'
import { handMade, type Market } from '../support/markets.ts'
import type { Basket, OptionQuote } from './answers.ts'
import { contractInvariants } from './invariants/invariant.ts'

const now = Date.UTC(2026, 6, 29, 15, 0, 0, 250)
const tickers = ['AAPL', 'SPX', 'SPY', 'TLRY'] as Ticker[]
const catalogue: Catalogue = {
  tickers,
  asked: tickers.slice(0, 2),
  lastUpdated: now - 1000,
  held: [
    { symbol: tickers[0], observedAt: now - 1000, stale: false },
    { symbol: tickers[2], observedAt: now - 90_000, stale: true }
  ],
  universe: [
    { symbol: tickers[2], tier: 1, warm: true, age: 12.34, late: true },
    { symbol: tickers[3], tier: 2, warm: false, age: undefined, late: false },
    { symbol: tickers[0], tier: 1, warm: false, age: undefined, late: false }
  ]
}

function ask<Answer>(path: string, inputs: object, query: Query = {}): Answer {
  const endpoint = endpointAt(path)
  const params = readParameters(endpoint.params, { symbol: 'SPY', ticker: 'SPY' }, query, {
    today: '2026-07-29' as IsoDate
  })
  endpoint.check(params as never)
  return JSON.parse(answer(endpoint, { params, inputs, body: undefined, caller: [] })) as Answer
}

const codeOf = (path: string, inputs: object, query: Query) => {
  try {
    return ask<{ error?: string }>(path, inputs, query).error
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
}

/** A test for each line the contract states for a path, by its words. */
function testInvariants(
  path: string,
  checks: Readonly<Record<string, () => void>>,
  elsewhere: readonly string[] = []
): void {
  for (const [words, check] of Object.entries(checks)) test(`${path}: ${words}`, check)
  test(`${path}: every invariant of the contract has its test`, () => {
    const stated = contractInvariants(path)
    if (stated) expect([...Object.keys(checks), ...elsewhere].sort()).toEqual(stated)
  })
}

testInvariants('/v1/tickers', {
  'count == len(tickers)': () => expect(ask('/v1/tickers', { catalogue })).toEqual({ tickers, count: 4 }),
  'tickers strictly ascending': () => {
    const found = ask<{ tickers: string[] }>('/v1/tickers', { catalogue }).tickers
    expect(found).toEqual([...new Set(found)].sort())
  }
})

test('symbols say when each chain that is held was observed', () => {
  expect(ask('/v1/symbols', { catalogue })).toMatchObject({
    held: [
      { symbol: 'AAPL', as_of: '2026-07-29T14:59:59.250Z', is_stale: false },
      { symbol: 'SPY', as_of: '2026-07-29T14:58:30.250Z', is_stale: true }
    ]
  })
})

testInvariants('/v1/symbols', {
  'count == len(symbols)': () => {
    const found = ask<{ symbols: string[]; count: number; note: string; last_updated: string }>('/v1/symbols', {
      catalogue
    })
    expect([found.symbols, found.count, found.last_updated]).toEqual([['AAPL', 'SPX'], 2, '2026-07-29T14:59:59.250Z'])
    expect(found.note).not.toBe('')
    const empty = { ...catalogue, asked: [], lastUpdated: undefined }
    expect(ask('/v1/symbols', { catalogue: empty })).toMatchObject({ symbols: [], count: 0, last_updated: null })
  }
})

interface Universe {
  readonly count: number
  readonly returned: number
  readonly limit: number
  readonly sort: string
  readonly symbols: readonly { symbol: string; tier: number; is_pre_warmed: boolean }[]
}
const universe = (query: Query = {}) => ask<Universe>('/v1/universe', { catalogue, now }, query)

testInvariants('/v1/universe', {
  'returned == len(symbols) == min(count, limit)': () => {
    for (const [query, returned, limit] of [
      [{}, 3, 200],
      [{ limit: '2' }, 2, 2],
      [{ limit: '0' }, 1, 1],
      [{ limit: '9999' }, 3, 1000]
    ] as const) {
      const found = universe(query)
      expect([found.returned, found.symbols.length, found.count, found.limit]).toEqual([returned, returned, 3, limit])
    }
    expect(codeOf('/v1/universe', { catalogue, now }, { limit: '2.5' })).toBe('invalid_parameter')
  },
  'sort tier => tier non-decreasing': () => {
    for (const sort of [undefined, 'tier', 'TIER', 'nonsense']) {
      const found = universe(sort === undefined ? {} : { sort })
      expect(found.sort).toBe('tier')
      expect(found.symbols.map(({ symbol, tier, is_pre_warmed }) => [symbol, tier, is_pre_warmed])).toEqual([
        ['SPY', 1, true],
        ['AAPL', 1, false],
        ['TLRY', 2, false]
      ])
    }
  },
  'sort symbol => strictly ascending': () =>
    expect(universe({ sort: 'symbol' }).symbols.map(({ symbol }) => symbol)).toEqual(['AAPL', 'SPY', 'TLRY']),
  'no duplicate symbol': () => expect(new Set(universe().symbols.map(({ symbol }) => symbol)).size).toBe(3)
})

const view: AccountView = {
  userId: 'u1',
  email: 'desk@example.com',
  keyHint: 'w7Kq',
  plan: 'basic',
  dailyLimit: 250,
  usedToday: 260,
  resetsAt: Date.UTC(2026, 6, 30),
  usageByDay: [{ date: '2026-07-29', requests: 260, ofPanels: 0 }],
  capabilities: () => ({
    stream: { until: undefined, limit: 500, used: 33 },
    replay: false,
    admin: false,
    freshness: 15_000,
    features: ['etf', 'index']
  })
}
interface Account {
  readonly daily_limit: string
  readonly remaining: string
  readonly usage_today: number
  readonly resets_at: string
}
const account = (more: Partial<AccountView>) => ask<Account>('/v1/account', { account: { ...view, ...more } })

testInvariants(
  '/v1/account',
  {
    'daily_limit numeric => int(remaining) == max(0, int(daily_limit) - usage_today)': () => {
      expect(account({})).toMatchObject({ daily_limit: '250', remaining: '0', usage_today: 260 })
      expect(account({ usedToday: 1 })).toMatchObject({ daily_limit: '250', remaining: '249', usage_today: 1 })
    },
    'daily_limit unlimited <=> remaining unlimited': () =>
      expect(account({ dailyLimit: undefined })).toMatchObject({
        daily_limit: 'unlimited',
        remaining: 'unlimited',
        usage_today: 0
      }),
    'resets_at > now and at 00:00:00Z': () => expect(account({}).resets_at).toBe('2026-07-30T00:00:00.000Z')
  },
  // A header is seen by the tests of the server.
  ['X-RateLimit-Limit == daily_limit']
)

test('an account says what it may use, times as instants and ages in seconds', () => {
  expect(account({})).toMatchObject({
    key_hint: 'w7Kq',
    capabilities: {
      stream: { until: null, limit: 500, used: 33 },
      replay: false,
      admin: false,
      freshness_seconds: 15,
      features: ['etf', 'index']
    }
  })
  const ends = { ...view.capabilities(), stream: { until: Date.UTC(2026, 7, 1), limit: 1000, used: 0 } }
  expect(account({ capabilities: () => ends })).toMatchObject({
    capabilities: { stream: { until: '2026-08-01T00:00:00.000Z', limit: 1000, used: 0 } }
  })
  const none = { ...view.capabilities(), stream: undefined }
  expect(account({ capabilities: () => none })).toMatchObject({ capabilities: { stream: null } })
})

testInvariants(
  '/v1/exposure/history/{symbol}',
  {
    'status 503 and body.error == coming_soon': () => {
      for (const query of [{}, { days: '30' }, { days: '' }, { days: 'many' }, { days: '-1.5' }] as Query[]) {
        expect(codeOf('/v1/exposure/history/{symbol}', {}, query)).toBe('coming_soon')
      }
      expect(new ApiError('coming_soon', '', {}).status).toBe(503)
    }
  },
  // The endpoint is not enabled.
  ['when enabled: count == len(snapshots) <= days and dates strictly descending']
)

for (const path of ['/stockquote/{ticker}', '/optionquote/{ticker}']) {
  testInvariants(`/v1${path}`, {
    [`body equals ${path}`]: () => expect(endpointAt(path).aliases).toEqual([`/v1${path}`])
  })
}

const markets = ['several expirations on a day of expiry', 'all puts', 'all calls', 'nothing left after the close'].map(
  handMade
)
const chains = new Map(markets.map(({ chain }, k) => [tickers[k], { ...chain, symbol: tickers[k] }]))
const basket = (query: Query) => ask<Basket>('/v1/exposure/basket', { chains }, query)

test('a basket weighs its symbols, merges those named twice and drops those without data', () => {
  const { constituents, aggregate, missing_symbols } = basket({
    symbols: 'spx,AAPL, nobody,SPX,not/a/ticker',
    weights: '1,4,9,2,1'
  })
  expect(constituents.map(({ symbol, weight }) => [symbol, weight])).toEqual([
    ['SPX', 0.4286],
    ['AAPL', 0.5714]
  ])
  expect(missing_symbols).toEqual(['NOBODY', 'NOT/A/TICKER'])
  const [spx, aapl] = constituents
  for (const name of ['net_gex', 'net_dex', 'net_vex', 'net_chex'] as const) {
    const sum = (3 / 7) * spx[name] + (4 / 7) * aapl[name]
    expect(Math.abs(aggregate[name] - sum)).toBeLessThanOrEqual(0.02 + 1e-9 * Math.abs(sum))
  }
  const sizes = constituents.map(({ net_gex }, k) => Math.abs([3, 4][k] * net_gex))
  expect(spx.contribution_pct).toBeCloseTo((100 * sizes[0]) / (sizes[0] + sizes[1]), 3)
  expect(spx.regime).toBe('negative_gamma')
})

test('a basket without weights, or with none left, weighs equally', () => {
  for (const query of [
    { symbols: 'AAPL,SPX,SPY' },
    { symbols: 'AAPL,SPX,SPY,NOBODY', weights: '0,0,0,1' }
  ] as Query[]) {
    expect(basket(query).constituents.map(({ weight }) => weight)).toEqual([0.3333, 0.3333, 0.3333])
  }
})

test('a symbol whose last contract has expired is one without data', () => {
  expect(basket({ symbols: 'AAPL,TLRY' }).missing_symbols).toEqual(['TLRY'])
  expect(codeOf('/v1/exposure/basket', { chains }, { symbols: 'TLRY' })).toBe('no_data')
})

test('a basket is as old as its oldest constituent', () => {
  const old = { ...chains.get(tickers[1])!, asOf: now - 86_400_000 }
  const found = ask<Basket>(
    '/v1/exposure/basket',
    { chains: new Map([...chains, [tickers[1], old]]) },
    { symbols: 'AAPL,SPX' }
  )
  expect(found.as_of).toBe(new Date(old.asOf).toISOString())
})

test.each([
  [{}, 'missing_symbols'],
  [{ symbols: '' }, 'missing_symbols'],
  [{ symbols: 'SPY,,AAPL' }, 'missing_symbols'],
  [{ symbols: Array.from({ length: 51 }, (_, k) => `A${k}`).join(',') }, 'too_many_symbols'],
  [{ symbols: 'SPY,AAPL', weights: '1' }, 'weight_count_mismatch'],
  [{ symbols: 'SPY,AAPL', weights: '1,-1' }, 'invalid_weights'],
  [{ symbols: 'SPY,AAPL', weights: '1,x' }, 'invalid_weights'],
  [{ symbols: 'SPY,AAPL', weights: '0,0' }, 'invalid_weights'],
  [{ symbols: 'SPY,AAPL', weights: '' }, 'invalid_weights'],
  [{ symbols: 'NOBODY' }, 'no_data']
])('a basket of %j is refused with %s', (query, code) => {
  expect(codeOf('/v1/exposure/basket', { chains }, query as Query)).toBe(code)
})

const day = handMade('several expirations on a day of expiry')
const refused = (path: string, market: Market, query: Query) => {
  const result = textOf(endpointAt(path), market, query)
  return 'code' in result ? result.code : undefined
}

test.each([
  ['/v1/exposure/gex/{symbol}', { expiration: '2026-7-29' }, 'invalid_expiration'],
  ['/v1/exposure/gex/{symbol}', { expiration: '2026-07-28' }, 'no_data'],
  ['/v1/exposure/gex/{symbol}', { expiration: '2026-07-30' }, 'no_data'],
  ['/v1/exposure/gex/{symbol}', { min_oi: '-1' }, 'invalid_min_oi'],
  ['/v1/exposure/gex/{symbol}', { min_oi: '1.5' }, 'invalid_min_oi'],
  ['/v1/exposure/sheet/{symbol}', { min_oi: 'x' }, 'invalid_min_oi'],
  ['/v1/exposure/zero-dte/{symbol}', { expiry: 'soon' }, 'invalid_expiry'],
  ['/v1/exposure/zero-dte/{symbol}', { expiry: '2026-07-30' }, 'no_data'],
  ['/v1/exposure/zero-dte/{symbol}', { strike_range: 'wide' }, 'invalid_strike_range'],
  ['/v1/exposure/oi-diff/{symbol}', { topN: '2.5' }, 'invalid_parameter'],
  ['/v1/maxpain/{symbol}', { expiration: 'tomorrow' }, 'invalid_expiration'],
  ['/optionquote/{ticker}', { expiry: '29-07-2026' }, 'invalid_expiry'],
  ['/optionquote/{ticker}', { type: 'X' }, 'invalid_type'],
  ['/optionquote/{ticker}', { strike: '0' }, 'invalid_strike'],
  ['/optionquote/{ticker}', { strike: '1000' }, 'no_match']
])('%s with %j is refused with %s', (path, query, code) => {
  expect(refused(path, day, query as Query)).toBe(code)
})

test('a strike range outside 0.001 to 0.1 is moved to the nearest bound', () => {
  const path = '/v1/exposure/zero-dte/{symbol}'
  for (const [requested, given] of [
    ['5', '0.1'],
    ['0', '0.001'],
    ['-3', '0.001'],
    ['0.1000001', '0.1']
  ]) {
    const [moved, bound] = [requested, given].map((strike_range) => textOf(endpointAt(path), day, { strike_range }))
    expect(moved).toEqual(bound)
  }
})

test('max pain needs open interest in its scope', () => {
  expect(refused('/v1/maxpain/{symbol}', handMade('no open interest'), {})).toBe('no_data')
})

test('a chain whose last contract has expired answers for its own day only', () => {
  const market = handMade('nothing left after the close')
  expect(refused('/v1/exposure/gex/{symbol}', market, {})).toBe('no_data')
  expect(refused('/v1/exposure/gex/{symbol}', market, { expiration: '0dte' })).toBeUndefined()
  expect(refused('/v1/options/{ticker}', market, {})).toBe('no_options_data')
  expect(easternDate(market.chain.asOf)).toBe('2026-07-29')
})

test('the three filters of an option quote may be written in any case and form', () => {
  const query = { expiry: '2026-08-05', strike: '100' }
  for (const type of ['p', 'P', 'put', 'PUT']) {
    const result = textOf(endpointAt('/optionquote/{ticker}'), day, { ...query, type })
    const quote = JSON.parse('text' in result ? result.text : 'null') as OptionQuote
    expect([quote.type, quote.strike, quote.expiry, quote.occ_symbol]).toEqual([
      'P',
      100,
      '2026-08-05',
      'TEST260805P00100000'
    ])
  }
})

test('option quotes come by expiry, strike and side, AM before PM', () => {
  const result = textOf(endpointAt('/optionquote/{ticker}'), handMade('AM and PM series on one date'), {
    expiry: '2026-09-18'
  })
  const rows = JSON.parse('text' in result ? result.text : '[]') as OptionQuote[]
  const keys = rows.map(({ strike, type, occ_symbol }) => `${`${strike}`.padStart(6, '0')}${type}${occ_symbol}`)
  expect(keys).toEqual(keys.toSorted())
  expect(rows.filter(({ strike }) => strike === 6450).map(({ occ_symbol }) => occ_symbol)).toEqual([
    'SPX260918C06450000',
    'SPXW260918C06450000',
    'SPX260918P06450000',
    'SPXW260918P06450000'
  ])
})
