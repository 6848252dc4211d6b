import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newKey } from '../../../src/accounts/key.ts'
import { defaultPlans } from '../../../src/api/plan.ts'
import { endpoints } from '../../../src/endpoints/index.ts'
import { session } from '../../../src/market/calendar.ts'
import type { Chain } from '../../../src/market/chain.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import { parseMoment } from '../../../src/replay/replay-moment.ts'
import { adminRoutes } from '../../../src/server/admin/admin-routes.ts'
import { movedPaths } from '../../../src/server/replay/live-only.ts'
import type { ArchiveRows } from '../../support/archive-rows.ts'
import { memoryStore } from '../../support/memory-store.ts'
import { recordedDay } from '../../support/recorded-days.ts'
import { type ReplayService, type ReplayServiceOptions, replayService, restored } from '../../support/replay.ts'

const running: (() => Promise<void>)[] = []
let rows: ArchiveRows
let shared: ReplayService
let past: ReplayService['past']

function started(options: Partial<ReplayServiceOptions> = {}): ReplayService {
  const made = replayService({ history: memoryStore(rows), ...options })
  running.push(made.close)
  return made
}

beforeAll(async () => {
  rows = await recordedDay('2026-07-29')
  shared = started()
  past = shared.past
})
afterAll(async () => {
  for (const close of running) await close()
})

const noon = 'at=2026-07-29T12:00:00'
const levels = '/v1/exposure/levels/KO'
const codeOf = (answer: { statusCode: number; json: () => { error?: string } }) =>
  [answer.statusCode, answer.json().error] as const

/** A snapshot of a chain at another time, under another name. */
const snapshotAt = (symbol: string, moment: string, more: Partial<Chain> = {}) => {
  const found = rows.snapshots.find(({ chain }) => chain.symbol === 'KO')!
  return { ...found, chain: { ...found.chain, symbol: symbol as Ticker, asOf: parseMoment(moment)!, ...more } }
}

describe('who may ask about the past', () => {
  test('is nobody with the token of an embedded panel, which is public and for the present', async () => {
    const { embedTokens, accounts, key, clock, ask } = shared
    const { keyId } = accounts.find(key)!
    const expiresAt = clock.now() + 60_000
    const token = embedTokens.issue({ keyId, panel: 'ladder', symbol: 'KO' as Ticker, freshness: 0, expiresAt })
    const headers = { 'x-embed-token': token }
    expect((await ask(levels, undefined, { headers })).statusCode).toBe(200)
    for (const url of [`${levels}?${noon}`, levels]) {
      expect((await past(url, { with: null, headers })).statusCode).toBe(401)
    }
    expect((await past(`${levels}?${noon}`, { headers })).statusCode).toBe(200)
  })

  test.each(endpoints.filter(({ replay }) => replay))('$id asks for Alpha, whatever it asks live', async ({ path }) => {
    const url = `${path.replace(/\{\w+\}/, 'KO')}?at=nonsense`
    expect((await past(url, { with: null })).statusCode).toBe(401)
    expect((await past(url, { with: newKey() })).statusCode).toBe(401)
    for (const plan of ['free', 'basic', 'growth'] as const) {
      const refused = await past(url, { with: shared.keyOn(plan) })
      expect(refused.statusCode).toBe(403)
      expect(refused.json()).toMatchObject({ status: 'ERROR', error: 'tier_restricted', required_plan: 'Alpha' })
    }
    expect(codeOf(await past(url))).toEqual([400, 'invalid_at'])
  })

  test('a key counts on both hosts together, and is refunded what it could not be given', async () => {
    const { quota, accounts, ask, past, key } = started()
    // Reads the usage under a limited plan, because usage of an unlimited one is never queried.
    const used = () => quota.used({ ...accounts.find(key)!, plan: defaultPlans.byId('basic') })
    await ask('/v1/account', key)
    const { headers } = await past(`${levels}?${noon}`)
    expect(headers['x-ratelimit-limit']).toBe('unlimited')
    await past(`/v1/exposure/levels/NOPE?${noon}`)
    await past('/v1/tickers')
    expect(used()).toBe(4)
    const off = started({ history: undefined })
    await off.past(`${levels}?${noon}`)
    const { userId } = off.accounts.find(off.key)!
    expect(off.quota.used({ userId, plan: defaultPlans.byId('basic') })).toBe(0)
  })
})

describe('the moment', () => {
  test.each([
    '',
    '?at=',
    '?at=2026-07-29T12:00:00Z',
    '?at=2026-07-29T12:00:00-04:00',
    '?at=2026-07-29T12:00:00.5',
    '?at=2026-07-29%2012:00:00',
    '?at=2026-07-29T12:00',
    '?at=2026-02-30',
    '?at=yesterday',
    '?at=2026-07-29&at=2026-07-30',
    '?at[]=2026-07-29'
  ])('of %s cannot be read', async (query) => {
    const answer = await past(`${levels}${query}`)
    expect(codeOf(answer)).toEqual([400, 'invalid_at'])
    expect(answer.json().parameter).toBe('at')
  })

  test('is read before the parameters of the route, and those before anything is looked up', async () => {
    const gex = '/v1/exposure/gex/NOPE'
    expect(codeOf(await past(`${gex}?min_oi=x`))).toEqual([400, 'invalid_at'])
    expect(codeOf(await past(`${gex}?at=2026-07-25&min_oi=x`))).toEqual([400, 'invalid_min_oi'])
    expect(codeOf(await past(`${gex}?at=2026-07-25`))).toEqual([404, 'no_data'])
    expect(codeOf(await past(`${gex}?${noon}`))).toEqual([404, 'symbol_not_found'])
  })

  test.each([
    ['a Saturday', '2026-07-25', 'was no trading day'],
    ['a holiday', '2026-09-07', 'was no trading day'],
    ['before the open', '2026-07-29T09:29:59', 'had not opened'],
    ['later than now', '2027-01-04', 'lies in the future'],
    ['before history is served', '2016-12-30', 'served from 2017-01-03'],
    ['a day that was not recorded', '2026-07-24', 'has no snapshot by then'],
    ['a stretch that was not recorded', '2026-07-29T12:10:00', 'the newest snapshot before it is of 12:01:00']
  ])('%s holds nothing', async (_, at, why) => {
    const answer = await past(`${levels}?at=${at}`)
    expect(codeOf(answer)).toEqual([404, 'no_data'])
    expect(answer.json().message).toContain(why)
  })

  test('may be held back by the operator', async () => {
    const { past } = started({ from: '2026-07-29' })
    expect((await past(`${levels}?${noon}`)).statusCode).toBe(200)
    expect(codeOf(await past(`${levels}?at=2026-07-28`))).toEqual([404, 'no_data'])
  })

  test('has the views of its tape begun before its chain is restored', async () => {
    const order: string[] = []
    const history = memoryStore(rows)
    const { past } = started({
      history: { ...history, tape: (id) => history.tape(id).finally(() => order.push(`${id.kind} tape`)) },
      restore: (snapshot, dividends) => {
        order.push('chain')
        return restored(snapshot, dividends)
      }
    })
    await past(`/v1/flow/summary/KO?${noon}`)
    expect(order).toEqual(['option tape', 'chain'])
  })

  test('is rated beside the close before it, which is looked up once for all moments of a day', async () => {
    const history = memoryStore(rows)
    const looked: string[] = []
    const { past } = started({
      history: {
        ...history,
        closingSnapshot: (symbol, date) => {
          looked.push(`${symbol} ${date}`)
          return history.closingSnapshot(symbol, date)
        }
      }
    })
    const rated = async (at: string) => (await past(`${levels}?at=${at}`)).headers['x-data-quality']
    expect(await rated('2026-07-29T12:00:00')).toBe((await shared.past(`${levels}?${noon}`)).headers['x-data-quality'])
    await rated('2026-07-29T11:59:00')
    expect(looked).toEqual(['KO 2026-07-28'])
  })

  test('resolves to the newest snapshot by then, and says so in headers that pages may read', async () => {
    const { headers } = await past(`${levels}?at=2026-07-29T12:00:59`, { headers: { origin: 'https://desk.example' } })
    expect(headers).toMatchObject({
      'x-replay-at': '2026-07-29T12:00:59',
      'x-replay-as-of': '2026-07-29T12:00:00',
      'x-replay-fidelity': 'recorded',
      'x-data-source': 'synthetic',
      'x-data-age': '59.0',
      'cache-control': 'private, no-cache'
    })
    const { score } = (await past('/v1/quality/KO?at=2026-07-29T12:00:59')).json()
    expect(headers['x-data-quality']).toBe(`${score}`)
    for (const name of ['X-Replay-At', 'X-Replay-As-Of', 'X-Replay-Fidelity']) {
      expect(headers['access-control-expose-headers']).toContain(name)
    }
  })

  test('after the close is the closing snapshot until midnight', async () => {
    const answers = await Promise.all(
      ['2026-07-29', '2026-07-29T16:00:00', '2026-07-29T18:30:00', '2026-07-29T23:59:59'].map((at) =>
        past(`${levels}?at=${at}`)
      )
    )
    for (const { headers, body } of answers) {
      expect(headers['x-replay-as-of']).toBe('2026-07-29T16:00:00')
      expect(body).toBe(answers[0].body)
    }
    expect(answers[0].headers['x-replay-at']).toBe('2026-07-29T16:00:00')
  })

  test('of a date alone is the early close of a half day', async () => {
    const { past } = started({ history: memoryStore(await recordedDay('2026-11-27')) })
    const { headers, json } = await past(`${levels}?at=2026-11-27`)
    expect([headers['x-replay-at'], headers['x-replay-as-of']]).toEqual(['2026-11-27T16:00:00', '2026-11-27T13:00:00'])
    expect(json().as_of).toBe('2026-11-27T18:00:00.000Z')
  })

  test('does not show in an answer: every moment of one snapshot has the same bytes and the same tag', async () => {
    const { past, computed } = started()
    const [one, other] = [await past(`${levels}?${noon}`), await past(`${levels}?at=2026-07-29T12:00:47`)]
    expect(other.body).toBe(one.body)
    expect(other.headers.etag).toBe(one.headers.etag)
    expect(computed).toEqual(['exposure.levels'])
    const held = await past(`${levels}?${noon}`, { headers: { 'if-none-match': one.headers.etag as string } })
    expect([held.statusCode, held.headers['x-replay-as-of']]).toEqual([304, '2026-07-29T12:00:00'])
  })

  test('is the day that 0dte means', async () => {
    const { past } = started({ history: memoryStore(await recordedDay('2026-07-31')) })
    const gex = (expiration: string) => past(`/v1/exposure/gex/XLE?expiration=${expiration}&at=2026-07-31T12:00:00`)
    const [word, date] = [await gex('0dte'), await gex('2026-07-31')]
    expect([word.statusCode, word.body]).toEqual([200, date.body])
    expect(word.json().strikes.length).toBeGreaterThan(10)
  })
})

describe('the clock of the answer', () => {
  test('is UTC, or New York on request, for every time and no date', async () => {
    const url = `/v1/exposure/summary/KO?${noon}`
    const [utc, named, eastern] = [await past(url), await past(`${url}&tz=utc`), await past(`${url}&tz=et`)]
    expect(named.body).toBe(utc.body)
    expect(utc.json().as_of).toBe('2026-07-29T16:00:00.000Z')
    expect(eastern.json()).toEqual({ ...utc.json(), as_of: '2026-07-29T12:00:00' })
    const quotes = (await past(`/optionquote/KO?${noon}&tz=et&expiry=2026-08-21`)).json()
    expect(quotes[0]).toMatchObject({ expiry: '2026-08-21', lastUpdate: '2026-07-29T12:00:00' })
  })

  test('is New York where the operator says so with --replay-times et, and tz=utc gives UTC', async () => {
    const { past: eastern } = started({ times: 'et' })
    const url = `/v1/exposure/summary/KO?${noon}`
    const [plain, utc] = [await eastern(url), await eastern(`${url}&tz=utc`)]
    expect(plain.body).toBe((await past(`${url}&tz=et`)).body)
    expect(plain.json().as_of).toBe('2026-07-29T12:00:00')
    expect(utc.body).toBe((await past(url)).body)
    expect([plain, utc].map(({ headers }) => headers['x-replay-as-of'])).toEqual(Array(2).fill('2026-07-29T12:00:00'))
    const { paths } = (await eastern('/openapi.json', { with: null })).json()
    const { parameters } = paths['/v1/exposure/summary/{symbol}'].get
    expect(parameters.find(({ name }: { name: string }) => name === 'tz').schema.default).toBe('et')
  })

  test.each(['UTC', 'EST', 'america/new_york', ''])('%j is none', async (tz) => {
    expect(codeOf(await past(`${levels}?${noon}&tz=${tz}`))).toEqual([400, 'invalid_parameter'])
  })

  test('of an early answer is not kept for the other', async () => {
    const { past } = started()
    const bodies = []
    for (const tz of ['et', 'utc', 'et', 'utc']) bodies.push((await past(`${levels}?${noon}&tz=${tz}`)).body)
    expect([bodies[0] === bodies[2], bodies[1] === bodies[3], bodies[0] === bodies[1]]).toEqual([true, true, false])
  })
})

describe('what has no past', () => {
  const paths = endpoints
    .filter(({ replay, path }) => !replay && path !== '/v1/tickers')
    .flatMap(({ path, aliases, body }) => [path, ...aliases].map((each) => [body ? 'POST' : 'GET', each] as const))

  test.each([
    ...paths,
    ...adminRoutes.map(({ method, path }) => [method, path] as const),
    ...movedPaths.map(({ method, path }) => [method, path] as const)
  ])('%s %s is said to be live only', async (method, path) => {
    const url = path.replace(/\{\w+\}/g, 'KO')
    expect((await past(url, { method, with: null })).statusCode).toBe(401)
    expect((await past(url, { method, with: shared.keyOn('growth') })).statusCode).toBe(403)
    const answer = await past(url, { method })
    expect(codeOf(answer)).toEqual([404, 'live_only'])
    expect(answer.json().message).toContain(path)
  })

  test.each(['/v1/account', '/v1/admin/users'])('%s takes no key in its address here either', async (url) => {
    const key = shared.keyOn('enterprise')
    for (const sent of [null, key]) {
      const answer = await past(`${url}?apiKey=${key}`, { with: sent })
      expect([answer.statusCode, answer.json().detail]).toEqual([
        401,
        'this path takes no key in its address: send it in the X-Api-Key header'
      ])
    }
  })

  test('a path that nobody knows is not found, with a key or without', async () => {
    expect(codeOf(await past('/v1/nothing'))).toEqual([404, 'not_found'])
    expect(codeOf(await past('/v1/nothing', { with: null }))).toEqual([404, 'not_found'])
  })

  test('another day cannot be asked for beside the moment', async () => {
    const answer = await past(`/v1/vrp/KO?${noon}&date=2026-07-28`)
    expect(codeOf(answer)).toEqual([400, 'invalid_parameter'])
    expect(answer.json().message).toContain('at names the moment')
  })
})

describe('a request about several symbols', () => {
  test('leaves out those that were not recorded then', async () => {
    const late = snapshotAt('LATE', '2026-07-29T12:30:00')
    const silent = snapshotAt('SILENT', '2026-07-29T11:54:59')
    const { past } = started({ history: memoryStore({ ...rows, snapshots: [...rows.snapshots, late, silent] }) })
    const answer = await past(`/v1/exposure/basket?symbols=KO,T,LATE,SILENT,NEVER&${noon}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.json().missing_symbols).toEqual(['LATE', 'SILENT', 'NEVER'])
    expect(answer.headers['x-replay-as-of']).toBe('2026-07-29T12:00:00')
    expect(codeOf(await past(`/v1/exposure/basket?symbols=NEVER,LATE&${noon}`))).toEqual([404, 'no_data'])
  })
})

describe('what was imported', () => {
  test('is told from what was recorded', async () => {
    const snapshots = rows.snapshots.map((snapshot) =>
      snapshot.chain.symbol === 'T' ? { ...snapshot, fidelity: 'imported' as const } : snapshot
    )
    const { past } = started({ history: memoryStore({ ...rows, snapshots }) })
    const fidelity = async (url: string) => (await past(`${url}${noon}`)).headers['x-replay-fidelity']
    expect(await fidelity('/v1/exposure/levels/T?')).toBe('imported')
    expect(await fidelity(`${levels}?`)).toBe('recorded')
    expect(await fidelity('/v1/exposure/basket?symbols=KO,T&')).toBe('imported')
    expect(await fidelity('/v1/volatility/realized/T?')).toBe('imported')
  })
})

describe('rows that are written later', () => {
  const quiet = 'at=2026-07-29T12:04:00'

  test('after the moment change nothing', async () => {
    const history = memoryStore(rows)
    const { past } = started({ history })
    const before = await past(`${levels}?${quiet}`)
    await history.writeSnapshots([snapshotAt('KO', '2026-07-29T12:04:01', { spot: 1 })])
    expect((await past(`${levels}?${quiet}`)).body).toBe(before.body)
  })

  test('at or before it are served at once, as a service that starts now would', async () => {
    const history = memoryStore(rows)
    const { past } = started({ history })
    const url = `/v1/volatility/KO?${quiet}`
    const before = await past(url)
    await history.writeSnapshots([snapshotAt('KO', '2026-07-29T12:03:00')])
    const [bar] = await history.bars('KO' as Ticker, parseMoment('2026-07-29')!, 1)
    const bars = await history.bars('KO' as Ticker, session('2026-07-28' as IsoDate)!.close, 30)
    await history.writeBars(
      'KO' as Ticker,
      bars.map((each) => ({ ...each, high: each.high * 1.01 })),
      'imported'
    )
    const after = await past(url)
    expect(after.headers['x-replay-as-of']).toBe('2026-07-29T12:03:00')
    expect(after.body).not.toBe(before.body)
    expect(bar.date).toBe('2026-07-29')
    expect((await started({ history }).past(url)).body).toBe(after.body)
  })
})

describe('chains of the past', () => {
  /** Four minutes of an index that lists weekly options under a root of their own. */
  const ofIndex = (symbol = 'SPX', root = 'SPXW'): ArchiveRows => {
    const snapshots = [0, 1, 2, 3].map((minute) => {
      const snapshot = snapshotAt(symbol, `2026-07-29T12:0${minute}:00`)
      const expirations = snapshot.chain.expirations.map((each, k) => ({ ...each, root: k < 2 ? symbol : root }))
      return { ...snapshot, chain: { ...snapshot.chain, expirations } }
    })
    return { ...rows, snapshots }
  }

  test('are made once however many ask, and once again after they were dropped', async () => {
    const size = rows.snapshots.find(({ chain }) => chain.symbol === 'KO')!.chain.size
    const { past, made, forgotten } = started({ contracts: size + 10 })
    const first = await Promise.all([past(`${levels}?${noon}`), past(`/v1/exposure/sheet/KO?${noon}`)])
    expect(made).toEqual(['KO 2026-07-29T16:00:00.000Z'])
    await past(`${levels}?at=2026-07-29T11:59:00`)
    await setImmediate() // it is forgotten in the turn after the one in which it was dropped
    expect(forgotten).toEqual(['KO 2026-07-29T16:00:00.000Z, memory given back'])
    const again = await past(`${levels}?${noon}`)
    expect(again.body).toBe(first[0].body)
    expect(made).toHaveLength(3)
  })

  test('give their memory back whether they were answered from or refused, alone, in a list or as a weekly root', async () => {
    const size = rows.snapshots.find(({ chain }) => chain.symbol === 'KO')!.chain.size
    const { past, forgotten } = started({ history: memoryStore(ofIndex()), contracts: size + 10 })
    const asked = [
      ['/v1/optionquote/SPX?strike=12345&at=2026-07-29T12:00:00', 404],
      ['/v1/exposure/basket?symbols=SPX&at=2026-07-29T12:01:00', 200],
      ['/v1/exposure/levels/SPXW?at=2026-07-29T12:02:00', 200],
      ['/v1/exposure/levels/SPX?at=2026-07-29T12:03:00', 200]
    ] as const
    for (const [path, status] of asked) expect((await past(path)).statusCode, path).toBe(status)
    await setImmediate()
    expect(forgotten).toEqual([
      'SPX 2026-07-29T16:00:00.000Z, memory given back',
      'SPX 2026-07-29T16:01:00.000Z, memory given back',
      'SPX 2026-07-29T16:02:00.000Z, memory given back',
      'SPXW 2026-07-29T16:02:00.000Z'
    ])
  })

  test.each([
    ['SPXW', 'SPX'],
    ['NDXP', 'NDX'],
    ['RUTW', 'RUT'],
    ['VIXW', 'VIX']
  ])('of the weekly root %s are cut from those of %s, and its flow is that of the index', async (root, symbol) => {
    const { past, made } = started({ history: memoryStore(ofIndex(symbol, root)) })
    const listed = async (name: string) =>
      (await past(`/v1/options/${name}?${noon}`)).json().expirations as readonly unknown[]
    const all = await listed(symbol)
    expect(all.length).toBeGreaterThan(2)
    expect(await listed(root)).toEqual(all.slice(2))
    expect(made).toHaveLength(1)
    const flow = await Promise.all(
      [root, symbol].map((name) => past(`/v1/flow/options/${name}/history?at=2026-07-29T12:03:00`))
    )
    expect(flow.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    const [mine, whole] = flow.map((answer) => answer.json())
    expect(mine.buckets).toEqual(whole.buckets)
    expect(codeOf(await past(`/v1/options/XSP?${noon}`))).toEqual([404, 'symbol_not_found'])
  })

  test('stand for what is beside the symbol however old they are that day', async () => {
    const vix = (rows.snapshots.find(({ chain }) => chain.symbol === 'VIX') ?? rows.snapshots[0]).chain
    const old = {
      ...snapshotAt('VIX', '2026-07-29T10:00:00'),
      chain: { ...vix, asOf: parseMoment('2026-07-29T10:00:00')! }
    }
    const ko = rows.snapshots.filter(({ chain }) => chain.symbol === 'KO')
    const narrative = `/v1/exposure/narrative/KO?${noon}`
    const level = async (snapshots: ArchiveRows['snapshots'], bars: ArchiveRows['bars'] = [], address = narrative) =>
      (await started({ history: memoryStore({ ...rows, snapshots, bars }) }).past(address)).json().narrative.data.vix
    expect(await level([...ko, old])).toBeCloseTo(vix.spot, 2)
    expect(await level(ko)).toBeNull()
    const yesterday = { ...old, chain: { ...old.chain, asOf: parseMoment('2026-07-28')! } }
    expect(await level([...ko, yesterday])).toBeNull()
    // A daily value that was imported is known a quarter of an hour after the close of its day.
    const bars = [
      ['2026-07-28', 17.1],
      ['2026-07-29', 19.9]
    ].map(([date, close]) => ({
      symbol: 'VIX' as Ticker,
      fidelity: 'imported' as const,
      bar: { date: date as IsoDate, open: 18, high: 21, low: 16, close: close as number, volume: 0 }
    }))
    const evening = (time: string) => `/v1/exposure/narrative/KO?at=2026-07-29T${time}`
    expect(await level(ko, bars)).toBe(17.1)
    expect(await level(ko, bars, evening('16:14:59'))).toBe(17.1)
    expect(await level(ko, bars, evening('16:15:00'))).toBe(19.9)
  })
})

describe('coverage', () => {
  test('lists every recorded symbol, ascending, and takes no moment', async () => {
    const { json, headers } = await past('/v1/tickers')
    const { count, tickers } = json()
    expect(count).toBe(tickers.length)
    const symbols = tickers.map(({ symbol }: { symbol: string }) => symbol)
    expect(symbols).toEqual([...symbols].sort())
    expect(symbols).toContain('KO')
    expect(headers).not.toHaveProperty('x-replay-at')
    expect((await past('/v1/tickers?at=nonsense')).statusCode).toBe(200)
  })

  test('of all symbols is what each of them is told alone', async () => {
    const { tickers } = (await past('/v1/tickers')).json()
    for (const one of tickers) expect((await past(`/v1/tickers?symbol=${one.symbol}`)).json()).toEqual(one)
  })

  test('calls no day healthy whose close cannot be asked for', async () => {
    const { tickers } = (await past('/v1/tickers')).json()
    const healthy = tickers.filter(({ coverage }: { coverage: { last: string | null } }) => coverage.last !== null)
    expect(healthy.map(({ symbol }: { symbol: string }) => symbol)).toEqual(['KO', 'T', 'VIX', 'XLE'])
    for (const { symbol, coverage } of healthy) {
      for (const at of [coverage.first, coverage.last]) {
        expect((await past(`/v1/exposure/levels/${symbol}?at=${at}`)).statusCode).toBe(200)
      }
    }
  })

  test('of one symbol is the bare object', async () => {
    const { json } = await past('/v1/tickers?symbol=%20ko')
    expect(json()).toMatchObject({
      symbol: 'KO',
      coverage: { first: '2026-07-28', last: '2026-07-29', total_days: 2, healthy_days: 2 },
      tables: { stocks_days: 3, options_days: 3, option_eod_days: 3, svi_days: 3, tape_days: 0 },
      gaps: { missing_eod: 0, missing_svi: 0, uncovered_calendar: 0 },
      fidelity: [{ from: '2026-07-28', to: '2026-07-30', level: 'recorded', missing: [] }]
    })
  })

  test.each(['NOPE', 'not%20a%20symbol', '%F0%9F%98%80'])('of %s is none', async (symbol) => {
    expect(codeOf(await past(`/v1/tickers?symbol=${symbol}`))).toEqual([404, 'no_coverage'])
  })

  test('asks for Alpha too', async () => {
    expect((await past('/v1/tickers', { with: null })).statusCode).toBe(401)
    expect((await past('/v1/tickers', { with: shared.keyOn('growth') })).json().required_plan).toBe('Alpha')
  })
})

describe('a service without history', () => {
  test('says on every route how to get one, after the key', async () => {
    const { past, keyOn } = started({ history: undefined })
    for (const url of [`${levels}?${noon}`, levels, '/v1/tickers']) {
      expect((await past(url, { with: null })).statusCode).toBe(401)
      expect((await past(url, { with: keyOn('basic') })).statusCode).toBe(403)
      const answer = await past(url)
      expect(codeOf(answer)).toEqual([503, 'history_off'])
      expect(answer.json().message).toContain('--history')
      expect(answer.headers).not.toHaveProperty('retry-after')
    }
    expect(codeOf(await past('/v1/account'))).toEqual([404, 'live_only'])
    const health = await past('/health', { with: null })
    expect([health.statusCode, health.json().status]).toEqual([200, 'Degraded'])
    expect((await past('/readyz', { with: null })).statusCode).toBe(503)
  })
})

describe('the host itself', () => {
  test('says how it is without a key', async () => {
    const { statusCode, json } = await past('/health', { with: null })
    expect([statusCode, json().status]).toEqual([200, 'Healthy'])
    expect((await past('/readyz', { with: null })).statusCode).toBe(200)
  })

  test('documents every replayed route with its moment, and no other', async () => {
    const { json } = await past('/openapi.json', { with: null })
    const { paths } = json()
    const routes = Object.entries<{ get: Record<string, never> }>(paths).filter(
      ([, { get }]) => get['x-plan'] !== 'public'
    )
    const all = endpoints.filter(({ replay }) => replay).flatMap(({ path, aliases }) => [path, ...aliases])
    // An address of this path could be one of another, so the document names it in words.
    const declared = all.filter((path) => path !== '/v1/surface/svi/{symbol}')
    const ofArchive = ['/v1/tickers', '/v1/recorded/{symbol}', '/v1/files/{symbol}/{session}/{table}.parquet']
    expect(new Set(routes.map(([path]) => path))).toEqual(new Set([...declared, ...ofArchive]))
    for (const [path, { get }] of routes.filter(([path]) => !ofArchive.includes(path))) {
      const { parameters, responses } = get as unknown as {
        parameters: readonly { name: string; required: boolean }[]
        responses: Record<string, { 'x-error-codes'?: readonly string[]; headers?: object }>
      }
      const names = parameters.filter(({ required }) => required).map(({ name }) => name)
      expect(names, path).toContain('at')
      expect(parameters.map(({ name }) => name)).not.toContain('date')
      expect(responses['400']['x-error-codes'], path).toContain('invalid_at')
      expect(responses['404']['x-error-codes'], path).toContain('no_data')
      expect(responses['503']['x-error-codes'], path).not.toContain('loading')
      expect(Object.keys(responses['200'].headers ?? {}), path).toContain('X-Replay-As-Of')
    }
  })

  test('is told apart in the log and the metrics', async () => {
    const { past, records } = started()
    await past(`${levels}?${noon}`)
    expect(records.at(-1)).toMatchObject({ route: 'replay /v1/exposure/levels/:symbol', path: levels, plan: 'alpha' })
  })
})
