import { describe, expect, test } from 'vitest'
import { SourceError } from '../../src/connectors/connector.ts'
import type { PricedChain } from '../../src/pricing/price-chain.ts'
import { weeklySize } from '../support/scripted-source.ts'
import { alpha, free, minute, settled, standing, ticker } from './standing.ts'

describe('the prior close', () => {
  test.each([
    ['a Wednesday', '2026-07-29T15:00:00Z', '2026-07-28'],
    ['a Monday', '2026-07-27T15:00:00Z', '2026-07-24'],
    ['the day after Labor Day', '2026-09-08T15:00:00Z', '2026-09-04']
  ])('of %s is that of the trading day before', async (_, moment, session) => {
    const { live, source, clock } = standing()
    clock.at = Date.parse(moment)
    const chain = await live.chain(ticker('AAPL'), alpha)
    const prior = await live.prior(chain!)
    expect(source.closes).toEqual([`AAPL ${session}`])
    expect(prior?.asOf).toBe(Date.parse(`${session}T20:00:00Z`))
  })

  test('is loaded once for many callers, and does not change while the day lasts', async () => {
    const { live, source, clock } = standing()
    const chain = await live.chain(ticker('AAPL'), alpha)
    const found = await Promise.all(Array.from({ length: 50 }, () => live.prior(chain!)))
    expect(new Set(found).size).toBe(1)
    clock.pass(alpha)
    const later = await live.chain(ticker('AAPL'), alpha)
    expect(live.prior(later!)).toBe(found[0])
    expect(source.closes).toHaveLength(1)
  })

  test('of a new day takes the place of the old one', async () => {
    const { live, source, clock, forgotten } = standing()
    const old = await live.prior((await live.chain(ticker('AAPL'), alpha))!)
    clock.pass(24 * 60 * minute)
    await live.prior((await live.chain(ticker('AAPL'), alpha))!)
    expect(source.closes).toEqual(['AAPL 2026-07-28', 'AAPL 2026-07-29'])
    expect(forgotten).toContain(old)
  })

  test('that cannot be loaded is left out, and tried again a minute later', async () => {
    const { live, source, clock } = standing()
    source.faults.set('AAPL close', new SourceError('timeout', 'too slow'))
    const chain = await live.chain(ticker('AAPL'), alpha)
    expect(await live.prior(chain!)).toBeUndefined()
    expect(live.isStale(chain!)).toBe(false)
    clock.pass(minute - 1)
    expect(live.prior(chain!)).toBeUndefined()
    expect(source.closes).toHaveLength(1)
    source.faults.clear()
    clock.pass(1)
    expect((await live.prior(chain!))?.symbol).toBe('AAPL')
  })

  test('that the source does not hold is asked for again five minutes later', async () => {
    const { live, source, clock } = standing()
    source.close = () => undefined
    const chain = await live.chain(ticker('AAPL'), alpha)
    expect(await live.prior(chain!)).toBeUndefined()
    clock.pass(5 * minute - 1)
    expect(live.prior(chain!)).toBeUndefined()
    clock.pass(1)
    await live.prior(chain!)
    expect(source.closes).toHaveLength(2)
  })

  test('is dropped when nobody asks for 15 minutes, while the symbol stays', async () => {
    const { live, clock, poll, forgotten } = standing([{ symbol: ticker('AAPL'), tier: 1 }])
    live.start()
    live.stop()
    await settled()
    const [{ chain }] = [...live.loaded()]
    const prior = await live.prior(chain)
    clock.pass(15 * minute + 1)
    await poll()
    expect(forgotten).toContain(prior)
    expect([...live.loaded()]).toHaveLength(1)
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
    const prior = await live.prior(weekly!)
    expect([prior?.symbol, prior?.size]).toEqual(['SPXW', weeklySize])
    expect(live.prior(weekly!)).toBe(prior)
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
    clock.pass(alpha)
    expect(await live.chain(ticker('SPXW'), alpha)).toBe(weekly)
    expect(live.isStale(weekly!)).toBe(true)
  })
})

describe('what the engine need not remember', () => {
  /** Asks for a chain, its prior close and those of a weekly root, and notes them all. */
  async function ask({ live, note }: ReturnType<typeof standing>, symbol: string, freshness: number): Promise<void> {
    const chain = note(await live.chain(ticker(symbol), freshness))
    if (chain !== undefined) note(await live.prior(chain))
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

  test('is said of a prior close that arrives after its day is over', async () => {
    const { live, source, clock, made, forgotten } = standing()
    const today = await live.chain(ticker('AAPL'), alpha)
    const release = source.hold()
    const late = live.prior(today!)
    release()
    clock.pass(24 * 60 * minute)
    const hold = source.hold()
    const renewing = live.chain(ticker('AAPL'), alpha)
    hold()
    const tomorrow = await renewing
    const after = await live.prior(tomorrow!)
    const before = await late
    expect(made).toEqual(new Set([today, tomorrow, before, after]))
    expect(new Set(forgotten)).toEqual(new Set([today, before]))
  })

  test('is said of a prior close that arrives after its symbol was dropped', async () => {
    const { live, source, clock, made, forgotten, poll } = standing()
    const chain = await live.chain(ticker('AAPL'), alpha)
    const release = source.hold()
    const late = live.prior(chain!)
    clock.pass(16 * minute)
    await poll()
    expect([...live.loaded()]).toEqual([])
    release()
    expect((await late)?.symbol).toBe('AAPL')
    expect(new Set(forgotten)).toEqual(made)
  })
})
