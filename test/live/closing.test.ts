import { describe, expect, test } from 'vitest'
import type { MaybePromise } from '../../src/api/maybe-promise.ts'
import { SourceError } from '../../src/connectors/port/source-error.ts'
import type { LiveMarket } from '../../src/live/live-market.ts'
import { previousTradingDay } from '../../src/market/calendar.ts'
import { easternDate } from '../../src/market/eastern.ts'
import type { IsoDate } from '../../src/market/units.ts'
import type { PricedChain } from '../../src/pricing/price-chain.ts'
import { weeklySize } from '../support/scripted-source.ts'
import { alpha, free, minute, settled, standing, ticker } from './standing-market.ts'

/** The close of the trading day before a chain's own. */
function priorOf(live: LiveMarket, chain: PricedChain | undefined): MaybePromise<PricedChain | undefined> {
  return live.closing(chain!.symbol, previousTradingDay(easternDate(chain!.asOf)))
}

describe('the prior close', () => {
  test.each([
    ['a Wednesday', '2026-07-29T15:00:00Z', '2026-07-28'],
    ['a Monday', '2026-07-27T15:00:00Z', '2026-07-24'],
    ['the day after Labor Day', '2026-09-08T15:00:00Z', '2026-09-04']
  ])('of %s is that of the trading day before', async (_, moment, session) => {
    const { live, source, clock } = standing()
    clock.at = Date.parse(moment)
    const chain = await live.chain(ticker('AAPL'), alpha)
    const prior = await priorOf(live, chain)
    expect(source.closes).toEqual([`AAPL ${session}`])
    expect(prior?.asOf).toBe(Date.parse(`${session}T20:00:00Z`))
  })

  test('is loaded once for many callers, and does not change while the day lasts', async () => {
    const { live, source, clock } = standing()
    const chain = await live.chain(ticker('AAPL'), alpha)
    const found = await Promise.all(Array.from({ length: 50 }, () => priorOf(live, chain)))
    expect(new Set(found).size).toBe(1)
    clock.pass(alpha)
    const later = await live.chain(ticker('AAPL'), alpha)
    expect(priorOf(live, later)).toBe(found[0])
    expect(source.closes).toHaveLength(1)
  })

  test('of a new day is another one, and the old one goes when nobody asks for it', async () => {
    const { live, source, clock, forgotten, poll } = standing()
    const old = await priorOf(live, await live.chain(ticker('AAPL'), alpha))
    clock.pass(24 * 60 * minute)
    const chain = await live.chain(ticker('AAPL'), alpha)
    const newer = await priorOf(live, chain)
    expect(source.closes).toEqual(['AAPL 2026-07-28', 'AAPL 2026-07-29'])
    await poll()
    expect(forgotten).toContain(old)
    expect(forgotten).not.toContain(newer)
    expect(priorOf(live, chain)).toBe(newer)
  })

  test('that cannot be loaded is refused, and tried again a minute later', async () => {
    const { live, source, clock } = standing()
    source.faults.set('AAPL close', new SourceError('timeout', 'too slow'))
    const chain = await live.chain(ticker('AAPL'), alpha)
    const refusal = expect.objectContaining({ code: 'source_unavailable' })
    await expect(priorOf(live, chain)).rejects.toEqual(refusal)
    expect(live.isStale(chain!)).toBe(false)
    clock.pass(minute - 1)
    expect(() => priorOf(live, chain)).toThrow(refusal)
    expect(source.closes).toHaveLength(1)
    source.faults.clear()
    clock.pass(1)
    expect((await priorOf(live, chain))?.symbol).toBe('AAPL')
  })

  test('that the source does not hold is asked for again five minutes later', async () => {
    const { live, source, clock } = standing()
    source.close = () => undefined
    const chain = await live.chain(ticker('AAPL'), alpha)
    expect(await priorOf(live, chain)).toBeUndefined()
    clock.pass(5 * minute - 1)
    expect(priorOf(live, chain)).toBeUndefined()
    clock.pass(1)
    await priorOf(live, chain)
    expect(source.closes).toHaveLength(2)
  })

  test('is dropped when nobody asks for 15 minutes, while the symbol stays', async () => {
    const { live, clock, poll, forgotten } = standing([{ symbol: ticker('AAPL'), tier: 1 }])
    live.start()
    live.stop()
    await settled()
    const [{ chain }] = [...live.loaded()]
    const prior = await priorOf(live, chain)
    clock.pass(15 * minute + 1)
    await poll()
    expect(forgotten).toContain(prior)
    expect([...live.loaded()]).toHaveLength(1)
  })
})

describe('the close of any past session', () => {
  const day = (date: string) => date as IsoDate

  test('is not to be had before the session is over, nor where there was none', async () => {
    const { live, source, clock } = standing()
    for (const date of ['2026-07-29', '2026-07-30', '2026-07-26']) {
      expect(live.closing(ticker('AAPL'), day(date))).toBeUndefined()
    }
    expect(source.closes).toEqual([])
    clock.at = Date.parse('2026-07-29T20:00:00Z')
    expect((await live.closing(ticker('AAPL'), day('2026-07-29')))?.asOf).toBe(clock.at)
  })

  test('is kept for four sessions of a symbol, those asked for last', async () => {
    const { live, source, forgotten } = standing()
    const sessions = ['2026-07-20', '2026-07-21', '2026-07-22', '2026-07-23'].map(day)
    const chains = []
    for (const session of sessions) chains.push(await live.closing(ticker('AAPL'), session))
    expect(live.closing(ticker('AAPL'), sessions[0])).toBe(chains[0])
    const fifth = await live.closing(ticker('AAPL'), day('2026-07-24'))
    expect(forgotten).toEqual([chains[1]])
    expect(live.closing(ticker('AAPL'), sessions[0])).toBe(chains[0])
    expect(live.closing(ticker('AAPL'), day('2026-07-24'))).toBe(fifth)
    expect(source.closes).toHaveLength(5)
  })

  test('is kept for every symbol apart', async () => {
    const { live, forgotten } = standing()
    for (const symbol of ['AAPL', 'MSFT', 'KO', 'SPY', 'SPX']) await live.closing(ticker(symbol), day('2026-07-24'))
    expect(forgotten).toEqual([])
  })
})

describe('a weekly root', () => {
  test('is the part of the index listed under it, made once for each chain', async () => {
    const { live, source, clock } = standing()
    const whole = await live.chain(ticker('SPX'), alpha)
    const weekly = await live.chain(ticker('SPXW'), alpha)
    expect(source.asked.map(({ symbol }) => symbol)).toEqual(['SPX'])
    expect([weekly?.symbol, weekly?.size]).toEqual(['SPXW', weeklySize])
    expect(new Set(weekly?.expirations.map(({ root }) => root))).toEqual(new Set(['SPXW']))
    expect(weekly?.spot).toBe(whole?.spot)
    expect(live.chain(ticker('SPXW'), alpha)).toBe(weekly)
    clock.pass(alpha)
    expect(await live.chain(ticker('SPXW'), alpha)).not.toBe(weekly)
    expect(live.catalogue().asked).toContain('SPXW')
  })

  test('has the part of the prior close, made once too', async () => {
    const { live, source } = standing()
    const weekly = await live.chain(ticker('SPXW'), alpha)
    const prior = await priorOf(live, weekly)
    expect([prior?.symbol, prior?.size]).toEqual(['SPXW', weeklySize])
    expect(priorOf(live, weekly)).toBe(prior)
    expect(source.closes).toEqual(['SPX 2026-07-28'])
  })

  test('that the index does not list is unknown', async () => {
    const { live, source } = standing()
    const whole = source.listing('AAPL')
    source.listing = () => whole
    expect(await live.chain(ticker('SPXW'), alpha)).toBeUndefined()
  })

  test('is stale with its index', async () => {
    const { live, source, clock } = standing()
    const weekly = await live.chain(ticker('SPXW'), alpha)
    source.faults.set('SPX', new SourceError('unavailable', 'down'))
    clock.pass(30_001)
    expect(await live.chain(ticker('SPXW'), alpha)).toBe(weekly)
    expect(live.isStale(weekly!)).toBe(true)
  })
})

describe('what the engine need not remember', () => {
  /** Asks for a chain, its prior close and those of a weekly root, and notes them all. */
  async function ask({ live, note }: ReturnType<typeof standing>, symbol: string, freshness: number): Promise<void> {
    const chain = note(await live.chain(ticker(symbol), freshness))
    if (chain !== undefined) note(await priorOf(live, chain))
  }

  const once = (chains: readonly PricedChain[]) => new Set(chains).size === chains.length

  test('is said of every chain, prior close and part that was ever made, once each', async () => {
    const all = standing()
    for (let round = 0; round < 30; round++) {
      for (const symbol of ['AAPL', 'SPX', 'SPXW', 'SPY']) await ask(all, symbol, round % 2 === 0 ? alpha : free)
      all.clock.pass(round === 15 ? 24 * 60 * minute : 400)
      await all.poll()
    }
    expect(all.made.size).toBeGreaterThan(40)
    all.clock.pass(16 * minute)
    await all.poll()
    expect([...all.live.loaded()]).toEqual([])
    expect(once(all.forgotten)).toBe(true)
    expect(new Set(all.forgotten)).toEqual(all.made)
  })

  test('is said of a close that arrives after four others took its place', async () => {
    const { live, source, made, forgotten } = standing()
    const release = source.hold()
    const sessions = ['2026-07-20', '2026-07-21', '2026-07-22', '2026-07-23', '2026-07-24']
    const asked = sessions.map((session) => live.closing(ticker('AAPL'), session as IsoDate))
    release()
    const chains = await Promise.all(asked)
    expect(made).toEqual(new Set(chains))
    expect(forgotten).toEqual([chains[0]])
  })

  test('is said of a prior close that arrives after its symbol was dropped', async () => {
    const { live, source, clock, made, forgotten, poll } = standing()
    const chain = await live.chain(ticker('AAPL'), alpha)
    const release = source.hold()
    const late = priorOf(live, chain)
    clock.pass(16 * minute)
    await poll()
    expect([...live.loaded()]).toEqual([])
    release()
    expect((await late)?.symbol).toBe('AAPL')
    expect(new Set(forgotten)).toEqual(made)
  })
})
