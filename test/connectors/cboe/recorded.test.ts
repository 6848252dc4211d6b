import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { readCboeChain } from '../../../src/connectors/cboe/cboe-chain.ts'
import type { CboeFiles } from '../../../src/connectors/cboe/cboe-files.ts'
import { createCboeFiles } from '../../../src/connectors/cboe/cboe-files.ts'
import { parsePayload, readPayloadHead } from '../../../src/connectors/cboe/cboe-payload.ts'
import { readPayload } from '../../../src/connectors/cboe/recorded-payloads.ts'
import { judge } from '../../../src/gate/gate.ts'
import type { Chain } from '../../../src/market/chain.ts'
import { known, UNKNOWN } from '../../../src/market/chain.ts'
import { isLive } from '../../../src/market/clock.ts'
import { easternDate, parseEasternDateTime } from '../../../src/market/eastern.ts'
import { parseOcc } from '../../../src/market/occ.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import { recordedPayloads } from '../../support/cboe-payload.ts'

const folder = recordedPayloads()
const SPY = 'SPY' as Ticker
const SPX = 'SPX' as Ticker
const { signal } = new AbortController()
const iso = (instant: number | undefined) => new Date(instant!).toISOString()

describe.skipIf(folder === undefined)('the recorded payloads of the exchange', () => {
  let files: CboeFiles
  beforeAll(async () => {
    files = await createCboeFiles({ path: folder!, asOf: undefined })
  })
  const bytes = (name: string) => readPayload(join(folder!, name))
  const payload = async (name: string) => readCboeChain(await bytes(name))
  /** The contracts as they came, every field of them. */
  const rawOptions = async (name: string): Promise<readonly RawOption[]> =>
    JSON.parse(String(await bytes(name))).data.options
  const chainOf = async (symbol: Ticker, session: string) =>
    (await files.closingChain(symbol, session as IsoDate, signal)) as Chain

  test('are all readable and stand at the close of the newest session', () => {
    expect(files.unreadable).toEqual([])
    expect(files.tickers).toEqual(['SPX', 'SPY'])
    expect(iso(files.fixedAt)).toBe('2026-08-04T20:00:00.000Z')
  })

  test('answer SPX, whose last recording is older, as of that recording', async () => {
    const chain = await files.chain(SPX, files.fixedAt!, signal)
    expect(iso(chain?.asOf)).toBe('2026-07-31T20:00:00.000Z')
  })

  test.each([
    ['SPY', '2022-07-12', 9208],
    ['SPY', '2026-07-22', 13592],
    ['SPY', '2026-07-28', 14032],
    ['SPY', '2026-07-29', 14024],
    ['SPY', '2026-07-30', 14092],
    ['SPY', '2026-07-31', 14398],
    ['SPY', '2026-08-03', 13958],
    ['SPY', '2026-08-04', 13944],
    ['SPX', '2026-07-30', 29210],
    ['SPX', '2026-07-31', 29082]
  ])('map every contract of %s on %s', async (symbol, session, size) => {
    const chain = await chainOf(symbol as Ticker, session)
    expect(chain).toMatchObject({ symbol, size })
    expect(chain.expirations[0].start).toBe(0)
    expect(chain.expirations.at(-1)?.end).toBe(size)
    expect(chain.bid.every((bid) => bid >= 0)).toBe(true)
    expect(chain.strike.every((strike) => strike > 0)).toBe(true)
  })

  test.each([
    'SPY-2022-07-12',
    'SPY-2026-07-23',
    '_SPX-2026-07-31'
  ])('have in %s the head that the scan finds', async (name) => {
    const content = await bytes(`${name}.json.gz`)
    const { symbol, fetched, newestTrade } = parsePayload(content)
    expect(readPayloadHead(content)).toMatchObject({ symbol, fetched, newestTrade })
  })

  test.each([
    'SPY-2022-07-12',
    'SPY-2026-07-29',
    '_SPX-2026-07-31'
  ])('state in %s what each contract of the payload states, and its newest trade', async (name) => {
    const { head, chain } = await payload(`${name}.json.gz`)
    const raw = await rawOptions(`${name}.json.gz`)
    const slots = new Map(contracts(chain).map(({ key, i }) => [key, i]))
    const different = raw.filter((option) => {
      const occ = parseOcc(String(option['option']))!
      const i = slots.get(`${occ.root} ${occ.expiration} ${occ.strike} ${occ.right === 'call' ? 0 : 1}`)
      if (i === undefined) return occ.expiration >= easternDate(chain.asOf) // expired contracts are left out
      return !Object.entries(stated).every(([column, value]) =>
        Object.is(chain[column as keyof typeof stated][i], value(option))
      )
    })
    expect(different).toEqual([])
    const times = raw.map((option) => String(option['last_trade_time'] ?? ''))
    const newest = times.reduce((newest, time) => (time > newest ? time : newest))
    expect(head.newestTrade).toBe(parseEasternDateTime(newest))
  })

  test('pass the gate, each beside the one before it and alone in the open market, and lose no row to it', async () => {
    const nothing = { doubt: undefined, settledOn: undefined, waived: undefined, clockIsTrusted: true }
    let before: Chain | undefined
    for (const file of readdirSync(folder!).filter((name) => name.endsWith('.json.gz'))) {
      const { chain, reading } = await payload(file)
      const held = before?.symbol === chain.symbol ? before : undefined
      expect([file, judge({ chain, held, reading, now: chain.asOf, ...nothing })]).toEqual([file, { kind: 'taken' }])
      const inSession = { ...chain, asOf: chain.asOf - 60_000 }
      const alone = { chain: inSession, held: undefined, reading, now: chain.asOf, ...nothing }
      expect([file, judge(alone)]).toEqual([file, { kind: 'taken' }])
      for (const factor of [0.9, 0.95, 0.98, 1.05, 1.1, 1.2]) {
        const off = { ...alone, chain: { ...inSession, spot: factor * chain.spot } }
        expect([file, factor, judge(off)]).toMatchObject([file, factor, { reason: 'spot_off_options' }])
      }
      expect(reading).toMatchObject({ unreadable: 0, unusable: 0, repeated: 0, impossibleInterest: 0 })
      before = chain
    }
  })

  test('trap 1: belong to the session of their newest trade, and the second fetch of a session replaces the first', async () => {
    const mapped = await payload('SPY-2026-07-23.json.gz')
    expect(mapped).toMatchObject({ session: '2026-07-22', closed: true })
    expect(await files.closingChain(SPY, '2026-07-23' as IsoDate, signal)).toBeUndefined()
    const bars = await files.dailyBars(SPY, files.fixedAt!, signal)
    expect(bars.map((bar) => bar.date)).toEqual([
      '2022-07-12',
      '2026-07-22',
      '2026-07-28',
      '2026-07-29',
      '2026-07-30',
      '2026-07-31',
      '2026-08-03',
      '2026-08-04'
    ])
    expect(bars[1]).toEqual({
      date: '2026-07-22',
      open: 746.86,
      high: 750.02,
      low: 746.37,
      close: 747.41,
      volume: 32759363
    })
  })

  test('trap 1: hold for 07-29 the day before, and nothing for the day before 07-28', async () => {
    expect((await chainOf(SPY, '2026-07-28')).spot).toBe(740.86)
    expect(await files.closingChain(SPY, '2026-07-27' as IsoDate, signal)).toBeUndefined()
  })

  test('trap 2: keep the contracts that expired that day, with open interest, and they are no longer live', async () => {
    const chain = await chainOf(SPX, '2026-07-31')
    const [today, next] = chain.expirations
    expect(today).toMatchObject({ date: '2026-07-31', root: 'SPXW' })
    expect(
      chain.openInterest.subarray(today.start, today.end).reduce((sum, open) => sum + known(open), 0)
    ).toBeGreaterThan(1e5)
    expect(isLive(chain.asOf, today.date, today.settlement)).toBe(false)
    expect(isLive(chain.asOf, next.date, next.settlement)).toBe(true)
  })

  test('traps 3 and 4: lose no contract whose vendor gamma or volatility is 0, and carry neither figure', async () => {
    const { chain } = await payload('_SPX-2026-07-30.json.gz')
    const sums = { all: 0, withoutGamma: 0, withoutVolatility: 0 }
    for (const option of await rawOptions('_SPX-2026-07-30.json.gz')) {
      sums.all += option['open_interest'] as number
      if (option['gamma'] === 0) sums.withoutGamma += option['open_interest'] as number
      if (option['iv'] === 0) sums.withoutVolatility++
    }
    expect(sums.withoutGamma / sums.all).toBeGreaterThan(0.25)
    expect(sums.withoutVolatility).toBeGreaterThan(100)
    expect(chain.openInterest.reduce((sum, open) => sum + open, 0)).toBe(sums.all)
    for (const name of ['iv', 'sigma', 'delta', 'gamma', 'vega', 'theo']) expect(chain).not.toHaveProperty(name)
  })

  test('trap 5: state open interest as of the evening before, so it moves by no more than the volume of that day', async () => {
    const [tuesday, wednesday] = [await chainOf(SPY, '2026-07-28'), await chainOf(SPY, '2026-07-29')]
    const before = new Map(contracts(tuesday).map(({ key, i }) => [key, i]))
    const shared = contracts(wednesday).filter(({ key }) => before.has(key))
    const explained = (volume: (i: number, key: string) => number) =>
      shared.filter(({ key, i }) => {
        const change = wednesday.openInterest[i] - tuesday.openInterest[before.get(key)!]
        return Math.abs(change) <= volume(i, key)
      }).length / shared.length
    const byDayBefore = explained((_, key) => tuesday.volume[before.get(key)!])
    const bySameDay = explained((i) => wednesday.volume[i])
    expect(shared.length).toBeGreaterThan(13_000)
    expect(byDayBefore).toBeGreaterThan(0.99)
    expect(bySameDay).toBeLessThan(byDayBefore)
  })

  test('trap 6: keep the AM and the PM series of a third Friday apart, contract by contract', async () => {
    const { chain } = await payload('_SPX-2026-07-30.json.gz')
    const third = chain.expirations.filter(({ date }) => date === '2026-08-21')
    expect(third.map(({ root, settlement }) => [root, settlement])).toEqual([
      ['SPX', 'am'],
      ['SPXW', 'pm']
    ])
    const slots = new Map(contracts(chain).map(({ key, i }) => [key, i]))
    expect(slots.size).toBe(chain.size)
    let different = 0
    for (const option of await rawOptions('_SPX-2026-07-30.json.gz')) {
      const occ = parseOcc(String(option['option']))!
      const i = slots.get(`${occ.root} ${occ.expiration} ${occ.strike} ${occ.right === 'call' ? 0 : 1}`)!
      if (chain.openInterest[i] !== option['open_interest'] || chain.bid[i] !== option['bid']) different++
    }
    expect(different).toBe(0)
  })

  test('trap 7: stand at 16:00 although options traded until 16:15', async () => {
    const { head, chain } = await payload('SPY-2026-07-29.json.gz')
    expect(iso(head.newestTrade)).toBe('2026-07-29T20:14:59.000Z')
    expect(iso(chain.asOf)).toBe('2026-07-29T20:00:00.000Z')
  })

  test('trap 8: take the close as spot, neither the after-hours print of 2026 nor the after-hours quote of 2022', async () => {
    const chain = await chainOf(SPY, '2026-07-29')
    expect(chain).toMatchObject({ spot: 729.46, delay: 0 })
    expect(chain.quote).toEqual({ bid: undefined, ask: undefined, last: 729.46, time: chain.asOf })
    const older = await chainOf(SPY, '2022-07-12')
    expect(older.spot).toBe(380.83)
    expect(older.quote).toMatchObject({ bid: undefined, ask: undefined, last: 380.83 })
  })
})

/** The figures of a row as its chain has them. */
const stated = {
  bid: ({ bid }: RawOption) => bid ?? NaN,
  ask: ({ ask }: RawOption) => ask || NaN,
  last: ({ last_trade_price: last }: RawOption) => last || NaN,
  volume: ({ volume }: RawOption) => volume ?? UNKNOWN,
  openInterest: ({ open_interest: open }: RawOption) => open ?? UNKNOWN,
  bidSize: ({ bid, bid_size: size }: RawOption) => (size === 0 && bid! > 0 ? UNKNOWN : (size ?? UNKNOWN)),
  askSize: ({ ask, ask_size: size }: RawOption) => (size === 0 && ask! > 0 ? UNKNOWN : (size ?? UNKNOWN))
}

type RawOption = Readonly<Record<string, number | undefined>>

function contracts(chain: Chain): readonly { readonly key: string; readonly i: number }[] {
  return chain.expirations.flatMap(({ root, date, start, end }) =>
    Array.from({ length: end - start }, (_, at) => {
      const i = start + at
      return { key: `${root} ${date} ${chain.strike[i]} ${chain.right[i]}`, i }
    })
  )
}
