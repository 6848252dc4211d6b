import { describe, expect, test } from 'vitest'
import { SourceError } from '../../../src/connectors/port/source-error.ts'
import type { Chain } from '../../../src/market/chain.ts'
import { wednesday } from '../../support/scripted-source.ts'
import { alpha, basic, free, minute, settled, standing, ticker } from '../standing-market.ts'

type Standing = ReturnType<typeof standing>

/** Polls every second for a while; returns how often the source was asked for a symbol. */
async function requestsIn({ clock, source, poll }: Standing, milliseconds: number, symbol = 'AAPL'): Promise<number> {
  const before = source.count(symbol)
  for (const end = clock.at + milliseconds; clock.at < end; ) {
    clock.pass(1000)
    await poll()
  }
  return source.count(symbol) - before
}

describe('a symbol somebody asked for', () => {
  test('is renewed as often as the strictest plan that asked lately wants', async () => {
    const all = standing()
    await all.live.chain(ticker('AAPL'), free)
    expect(await requestsIn(all, minute)).toBe(0)
    await all.live.chain(ticker('AAPL'), basic)
    expect(await requestsIn(all, 45_000)).toBe(3)
    await all.live.chain(ticker('AAPL'), alpha)
    expect(await requestsIn(all, 10_000)).toBe(10)
  })

  test('is renewed by laxer plans again a minute after the strict one asked last', async () => {
    const all = standing()
    await all.live.chain(ticker('AAPL'), alpha)
    await all.live.chain(ticker('AAPL'), free)
    expect(await requestsIn(all, minute)).toBe(60)
    expect(await requestsIn(all, 10 * minute)).toBe(0)
  })

  test('is never asked for faster than the source allows', async () => {
    const all = standing()
    all.source.pace = 5000
    await all.live.chain(ticker('AAPL'), alpha)
    expect(await requestsIn(all, 30_000)).toBe(6)
  })

  test('is not asked for while its request is under way', async () => {
    const all = standing()
    await all.live.chain(ticker('AAPL'), alpha)
    const release = all.source.hold()
    expect(await requestsIn(all, 10_000)).toBe(1)
    release()
    await settled()
    expect(await requestsIn(all, 1000)).toBe(1)
  })

  test('is dropped 15 minutes after it was asked for last, and its chains are forgotten', async () => {
    const all = standing()
    await all.live.chain(ticker('AAPL'), free)
    await requestsIn(all, 15 * minute)
    expect([...all.live.loaded()]).toHaveLength(1)
    expect(await requestsIn(all, 1000)).toBe(0)
    expect([...all.live.loaded()]).toHaveLength(0)
    expect(all.live.catalogue().asked).toEqual([])
    expect(new Set(all.forgotten)).toEqual(all.made)
  })

  test('and is due at the moment it is dropped is not loaded for nobody', async () => {
    const all = standing()
    await all.live.chain(ticker('AAPL'), free)
    all.clock.pass(15 * minute + 1)
    await all.poll()
    expect(all.source.count('AAPL')).toBe(1)
    expect(new Set(all.forgotten)).toEqual(all.made)
  })

  test('and is lost by the source keeps its last chain, marked stale, and is not asked for again at once', async () => {
    const all = standing()
    const last = await all.live.chain(ticker('AAPL'), alpha)
    all.source.listing = () => undefined
    expect(await requestsIn(all, minute)).toBe(1)
    expect(await all.live.chain(ticker('AAPL'), alpha)).toBe(last)
    expect(all.live.isStale(last!)).toBe(true)
  })
})

describe('the universe', () => {
  const universe = [
    { symbol: ticker('KO'), tier: 2 },
    { symbol: ticker('SPY'), tier: 2 },
    { symbol: ticker('SPXW'), tier: 1 },
    { symbol: ticker('MSFT'), tier: 2 },
    { symbol: ticker('AAPL'), tier: 1 }
  ] as const

  test('is loaded from the start, tier 1 first, four at a time, weekly roots by their index', async () => {
    const { live, source } = standing(universe)
    const release = source.hold()
    live.start()
    live.stop()
    await settled()
    expect(source.asked.map(({ symbol }) => symbol)).toEqual(['SPX', 'AAPL', 'KO', 'SPY'])
    release()
    await settled()
    live.poll()
    await settled()
    expect(source.asked.slice(4).map(({ symbol }) => symbol)).toEqual(['MSFT'])
    expect(live.catalogue().universe.map(({ warm }) => warm)).toEqual([true, true, true, true, true])
    expect(live.catalogue().asked).toEqual([])
  })

  test('is loaded as quickly as it comes where the source sets no limit, until the market is stopped', async () => {
    const { live, source } = standing(universe)
    const release = source.hold()
    live.start()
    await settled()
    expect(source.asked).toHaveLength(4)
    release()
    await settled()
    expect(source.asked.slice(4).map(({ symbol }) => symbol)).toEqual(['MSFT'])
    live.stop()

    const stopped = standing(universe)
    const releaseLate = stopped.source.hold()
    stopped.live.start()
    await settled()
    stopped.live.stop()
    releaseLate()
    await settled()
    expect(stopped.source.asked).toHaveLength(4)
  })

  test('waits for the next poll where the source does set a limit', async () => {
    const { live, source, poll } = standing(universe)
    source.onDemand = { burst: 10, perMinute: 10 }
    const release = source.hold()
    live.start()
    await settled()
    release()
    await settled()
    expect(source.asked).toHaveLength(4)
    await poll()
    expect(source.asked).toHaveLength(5)
    live.stop()
  })

  test('does not hold up the start while it is not known what the first chain is priced with', async () => {
    const { live, source } = standing(universe, { ratesIndex: ticker('SPX') })
    const release = source.hold() // the close that tells the rates does not come
    await live.start()
    expect(source.asked).toEqual([])
    release()
    await settled()
    expect(source.asked[0].symbol).toBe('SPX')
    live.stop()
  })

  test('begins with the example alone, and does not wait for it longer than until the next poll', async () => {
    const { live, source, poll } = standing(universe, { example: ticker('SPY') })
    const release = source.hold()
    await live.start() // resolves though nothing has come
    expect(source.asked.map(({ symbol }) => symbol)).toEqual(['SPY'])
    await poll()
    expect(source.asked.map(({ symbol }) => symbol)).toEqual(['SPY', 'SPX', 'AAPL', 'KO'])
    release()
    live.stop()
  })

  test('that is held back waits until somebody asks for it, or for all', async () => {
    const { live, source, poll } = standing(universe, { example: ticker('SPY'), holdsBack: true })
    const asked = () => source.asked.map(({ symbol }) => symbol)
    await live.start()
    await settled()
    await poll()
    expect(asked()).toEqual(['SPY'])
    expect((await live.chain(ticker('KO'), alpha))?.symbol).toBe('KO')
    await poll()
    expect(asked()).toEqual(['SPY', 'KO'])
    live.loadAll()
    await poll()
    await settled()
    expect(asked()).toEqual(['SPY', 'KO', 'SPX', 'AAPL', 'MSFT'])
    live.stop()
  })

  test('goes before what is only late', async () => {
    const { live, source, clock } = standing([{ symbol: ticker('KO'), tier: 2 }])
    for (const symbol of ['AAPL', 'MSFT', 'SPY', 'SPX']) await live.chain(ticker(symbol), alpha)
    clock.pass(30_000)
    const before = source.asked.length
    const release = source.hold()
    live.start()
    live.stop()
    expect(source.asked[before].symbol).toBe('KO')
    release()
    await settled()
  })

  test('is kept warm every 15 minutes though nobody asks, and never dropped', async () => {
    const all = standing(universe)
    all.live.start()
    all.live.stop()
    await settled()
    await all.poll()
    expect(await requestsIn(all, 62 * minute, 'KO')).toBe(4)
    expect([...all.live.loaded()]).toHaveLength(5)
  })

  test('tells when the newest of the symbols somebody asked for was observed', async () => {
    const { live, clock } = standing(universe)
    expect(live.catalogue().lastUpdated).toBeUndefined()
    await live.chain(ticker('KO'), alpha)
    clock.pass(5000)
    await live.chain(ticker('AAPL'), alpha)
    expect(live.catalogue()).toMatchObject({ asked: ['AAPL', 'KO'], lastUpdated: clock.at })
  })
})

describe('a source that fails', () => {
  const down = new SourceError('unavailable', 'the source is down')

  test('leaves the last good chain in place, stale by its age and not for the failure', async () => {
    const { live, source, clock } = standing()
    const good = await live.chain(ticker('AAPL'), alpha)
    expect(live.isStale(good!)).toBe(false)
    source.faults.set('AAPL', down)
    clock.pass(alpha)
    expect(await live.chain(ticker('AAPL'), alpha)).toBe(good)
    expect(live.isStale(good!)).toBe(false)
    clock.pass(29_001)
    expect(live.isStale(good!)).toBe(true)
    source.faults.clear()
    clock.pass(1000)
    const renewed = await live.chain(ticker('AAPL'), alpha)
    expect(renewed?.asOf).toBe(clock.at)
    expect(live.isStale(renewed!)).toBe(false)
  })

  test('is left alone for 1, 2, 4 ... seconds, two minutes at most, by callers as by polling', async () => {
    const all = standing()
    const { live, source, clock, poll } = all
    await live.chain(ticker('AAPL'), alpha)
    source.faults.set('AAPL', down)
    clock.pass(1000)
    await poll()
    for (const pause of [1, 2, 4, 8, 16, 32, 64, 120, 120].map((seconds) => 1000 * seconds)) {
      const before = source.count('AAPL')
      clock.pass(pause - 1)
      await poll()
      await live.chain(ticker('AAPL'), alpha)
      expect(source.count('AAPL')).toBe(before)
      clock.pass(1)
      await poll()
      expect(source.count('AAPL')).toBe(before + 1)
    }
    source.faults.clear()
    clock.pass(120_000)
    await live.chain(ticker('AAPL'), alpha)
    source.faults.set('AAPL', down)
    clock.pass(1000)
    await poll()
    const before = source.count('AAPL')
    clock.pass(1000)
    await poll()
    expect(source.count('AAPL')).toBe(before + 1)
  })

  test('is left alone for as long as it asks for', async () => {
    const { live, source, clock } = standing()
    source.faults.set('AAPL', new SourceError('rate_limited', 'too many requests', 30_000))
    await expect(live.chain(ticker('AAPL'), alpha)).rejects.toThrow('too many requests')
    clock.pass(29_999)
    expect(() => live.chain(ticker('AAPL'), alpha)).toThrow('asks for a pause; try again in 1 s')
    source.faults.clear()
    clock.pass(1)
    expect((await live.chain(ticker('AAPL'), alpha))?.symbol).toBe('AAPL')
  })

  test('is told of once for each request, with its reason', async () => {
    const { live, source, emitted, clock } = standing()
    source.faults.set('AAPL', down)
    await Promise.allSettled([live.chain(ticker('AAPL'), alpha), live.chain(ticker('AAPL'), alpha)])
    await live.chain(ticker('MSFT'), alpha)
    await live.chain(ticker('NOPE'), alpha)
    source.faults.clear()
    clock.pass(minute)
    await live.chain(ticker('AAPL'), alpha)
    const seconds = 0
    const swapped = (symbol: string) => ({ name: 'chainSwapped', event: expect.objectContaining({ symbol }) })
    expect(emitted).toEqual([
      { name: 'sourceFailed', event: { symbol: 'AAPL', seconds, error: down } },
      { name: 'sourceAnswered', event: { symbol: 'MSFT', seconds, known: true } },
      swapped('MSFT'),
      { name: 'sourceAnswered', event: { symbol: 'NOPE', seconds, known: false } },
      { name: 'sourceAnswered', event: { symbol: 'AAPL', seconds, known: true } },
      { name: 'sourceBack', event: { symbol: 'AAPL' } },
      swapped('AAPL')
    ])
  })
})

test('the timer polls until the market is stopped', async () => {
  const { live, source, clock } = standing([{ symbol: ticker('KO'), tier: 1 }])
  live.start()
  await settled()
  clock.pass(15 * minute)
  await expect.poll(() => source.count('KO'), { interval: 20 }).toBe(2)
  live.stop()
})

test('a symbol that the source has no requests left for is told as late, with its age', async () => {
  const all = standing([
    { symbol: ticker('SPY'), tier: 1 },
    { symbol: ticker('AAPL'), tier: 2 }
  ])
  const ages = () => all.live.catalogue().universe.map(({ symbol, age, late }) => [symbol, age, late])
  expect(ages()).toEqual([
    ['SPY', undefined, false],
    ['AAPL', undefined, false]
  ])
  await all.live.chain(ticker('SPY'), free)
  await all.live.chain(ticker('AAPL'), free)
  all.clock.pass(29 * minute)
  expect(ages()).toEqual([
    ['SPY', 1740, false],
    ['AAPL', 1740, false]
  ])
  all.clock.pass(minute)
  expect(ages()).toEqual([
    ['SPY', 1800, true],
    ['AAPL', 1800, true]
  ])
  expect([...all.live.loaded()].map(({ late }) => late)).toEqual([true, true])
})

describe('symbols that were asked for together', () => {
  test('are renewed in turn, each as often as its plan wants', async () => {
    const all = standing()
    all.source.pace = 1000
    const symbols = ['AAPL', 'KO', 'SPY']
    for (const symbol of symbols) await all.live.chain(ticker(symbol), basic)
    const renewed = symbols.map((): number[] => [])
    for (let second = 0; second < 48; second++) {
      const before = symbols.map((symbol) => all.source.count(symbol))
      all.clock.pass(1000)
      await all.poll()
      for (const [k, symbol] of symbols.entries()) if (all.source.count(symbol) > before[k]) renewed[k].push(second)
    }
    for (const seconds of renewed) {
      expect(seconds).toHaveLength(3)
      expect(seconds).toEqual(seconds.map((_, k) => seconds[0] + 15 * k))
    }
    expect(new Set(renewed.map(([first]) => first)).size).toBe(3)
  })

  test('are spread over the stretch by as many polls, and serve on until their turn has come', async () => {
    const symbols = ['AAPL', 'KO', 'MSFT', 'SPY'].map(ticker)
    const all = standing(symbols.map((symbol) => ({ symbol, tier: 1 })))
    all.source.pace = 1000
    all.live.start()
    await settled()
    for (const symbol of symbols) await all.live.chain(symbol, alpha)
    const begun: number[] = []
    for (let poll = 0; poll < 50; poll++) {
      const before = all.source.asked.length
      all.clock.pass(100)
      await all.poll()
      for (const symbol of symbols) expect(all.live.chain(symbol, alpha)).not.toBeInstanceOf(Promise)
      begun.push(all.source.asked.length - before)
    }
    all.live.stop()
    const last = begun.slice(-10)
    expect(Math.max(...last)).toBe(1)
    expect(last.reduce((sum, each) => sum + each)).toBe(4)
  })
})

describe('a symbol that another source serves', () => {
  const from = (source: string, behind: number) => (chain: Chain) => ({ ...chain, source, asOf: chain.asOf - behind })

  test('is told of as a change before its chain, and never goes back to an earlier moment', async () => {
    const { live, source, events, clock, forgotten } = standing()
    const emitted: string[] = []
    events.on('sourceChanged', ({ symbol, from, to }) => emitted.push(`${symbol} from ${from} to ${to}`))
    events.on('chainSwapped', ({ source, asOf }) => emitted.push(`${source} ${(asOf - wednesday) / 1000}`))
    const { chain } = source
    const serve = (name: string, behind = 0) => {
      source.chain = async (symbol, now, signal) => {
        const found = await chain(symbol, now, signal)
        return found && from(name, behind)(found)
      }
    }
    const ask = async () => {
      await live.chain(ticker('AAPL'), alpha)
      await settled()
      clock.pass(minute)
    }
    serve('one')
    await ask()
    serve('other', 2.5 * minute)
    await ask()
    expect((await live.chain(ticker('AAPL'), free))?.source).toBe('one')
    await ask()
    await ask()
    await ask()
    serve('one')
    await ask()
    expect(emitted).toEqual([
      'one 0',
      'AAPL from one to other',
      'other 30',
      'other 90',
      'AAPL from other to one',
      'one 300'
    ])
    expect(live.provenanceOf((await live.chain(ticker('AAPL'), free))!)).toMatchObject({ name: 'one' })
    expect(forgotten.length).toBeGreaterThanOrEqual(2)
  })
})
