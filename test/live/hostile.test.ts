import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ApiError } from '../../src/api/error.ts'
import { SourceState } from '../../src/live/chains/source-state.ts'
import { LiveMarket } from '../../src/live/live-market.ts'
import { MarketEventBus, type MarketEvents } from '../../src/live/market-events.ts'
import type { Ticker } from '../../src/market/units.ts'
import type { PricedChain } from '../../src/pricing/price-chain.ts'
import { inlineEngine } from '../../src/workers/inline.ts'
import { contradictory, goodChain, hostileSource, impossible, type Mode, modes } from '../support/hostile-source.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { clockAt, wednesday } from '../support/scripted-source.ts'
import { settled } from './standing-market.ts'

const SPY = 'SPY' as Ticker
const AAPL = 'AAPL' as Ticker
const alpha = 1000
const minute = 60_000

/** A live market over a hostile source. Its clock and its timers are the test's. */
function standing(universe: readonly Ticker[] = [SPY], ahead = 0) {
  const clock = clockAt(wednesday)
  const source = hostileSource()
  source.ahead = ahead
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()
  const after = (milliseconds: number, run: () => void) => {
    const timer = { at: clock.at + milliseconds, run }
    timers.add(timer)
    return () => void timers.delete(timer)
  }
  const events = new MarketEventBus()
  const swapped: PricedChain[] = []
  const refused: MarketEvents['payloadRefused'][] = []
  events.on('chainSwapped', (chain) => swapped.push(chain))
  events.on('payloadRefused', (event) => refused.push(event))
  const emitted: [name: string, event: unknown][] = []
  for (const name of ['readingDoubted', 'doubtEnded', 'futureReplaced'] as const) {
    events.on(name, (event) => emitted.push([name, event]))
  }
  let ended = 0
  const outcomes = ['sourceAnswered', 'sourceFailed', 'payloadRefused', 'olderDropped'] as const
  for (const name of outcomes) events.on(name, () => ended++)
  const state = new SourceState(events, clock.now)
  const live = new LiveMarket({
    engine: inlineEngine({ connector: source, assumptions: madeUpAssumptions, endpoints: new Map() }),
    source: { ...source, latest: (now) => source.latest(now) },
    events,
    universe: universe.map((symbol) => ({ symbol, tier: 1 })),
    marketNow: clock.now,
    wallNow: clock.now,
    steadyNow: clock.steadyNow,
    after
  })
  live.start()
  live.stop()
  /** Lets time pass, and what is due by then happen. */
  const pass = async (milliseconds: number) => {
    clock.pass(milliseconds)
    for (const timer of [...timers].filter(({ at }) => at <= clock.at)) {
      timers.delete(timer)
      timer.run()
    }
    await settled()
  }
  /** Lets what was asked for come to its end; a refused payload is packed for the operator beside this thread. */
  const done = async () => {
    await settled()
    source.release()
    while (ended < source.asked.length) await settled()
    await settled()
  }
  const poll = async (mode: Mode, symbol = SPY) => {
    source.modes.set(symbol, mode)
    await pass(alpha)
    for (let k = 0; k < 2; k++) live.poll() // each begins one of a few symbols
    await done()
  }
  const held = (symbol = SPY) => [...live.loaded()].find(({ chain }) => chain.symbol === symbol)?.chain
  return { clock, source, live, events, swapped, refused, state, emitted, pass, poll, done, held }
}

/** Modes in which the source says what was true once. */
const isPast = (mode: Mode) => mode === 'an hour ago' || mode === 'yesterday'

const refusal = async (asking: () => unknown): Promise<ApiError> => {
  try {
    await asking()
  } catch (error) {
    return error as ApiError
  }
  throw new Error('it answered')
}

describe('a payload that is not believed', () => {
  test.each([
    ...contradictory,
    ...impossible
  ])('%s: the last good chain stays, and nobody is told of the other', async (mode) => {
    const { live, poll, held, swapped, refused, state } = standing()
    await settled()
    await live.chain(SPY, alpha)
    await poll('good')
    const good = held()!
    const count = swapped.length
    for (let k = 1; k <= 5; k++) {
      await poll(mode)
      expect([held(), swapped.length, refused.length]).toEqual([good, count, isPast(mode) ? 0 : k])
    }
    if (!isPast(mode)) {
      expect(state.refusals).toEqual({ [refused[0].reason]: 5 })
      expect(refused[0].payload?.length).toBeGreaterThan(0)
    }
    await poll('good')
    expect(held()!.asOf).toBeGreaterThan(good.asOf)
    expect(live.doubts).toEqual([])
  })

  test.each(impossible)('%s: the first of a symbol is refused too, as unavailable', async (mode) => {
    const { live, source, done } = standing([])
    source.modes.set(SPY, mode)
    const asking = refusal(() => live.chain(SPY, alpha))
    await done()
    expect((await asking).code).toBe('source_unavailable')
    expect([...live.loaded()]).toEqual([])
  })

  test('1.3: a shorter list is believed in the next session, and not before, however often it comes', async () => {
    const { live, source, poll, held, clock, state, emitted } = standing()
    await settled()
    await live.chain(SPY, alpha)
    const whole = held()!.size
    const { chain } = source
    source.chain = async (symbol) => {
      const { expirations, ...chain } = goodChain(symbol, clock.at)
      return { ...chain, expirations: expirations.slice(0, 2), size: expirations[1].end }
    }
    for (let k = 0; k < 12; k++) {
      await poll('good')
      expect(held()!.size).toBe(whole)
    }
    expect(live.doubts).toMatchObject([{ symbol: SPY, reason: 'contracts', session: '2026-07-29' }])
    expect(state.refusals).toEqual({ contracts: 12 })
    clock.pass(24 * 60 * minute)
    await poll('good')
    expect(held()!.size).toBe(whole / 2)
    expect(live.doubts).toEqual([])
    expect(emitted).toMatchObject([
      ['readingDoubted', { reason: 'contracts' }],
      ['doubtEnded', { by: 'evidence' }]
    ])
    source.chain = chain
    void live.chain(SPY, alpha)
    await poll('good')
    expect(held()!.size).toBe(whole)
  })

  test('is taken once the operator says so, and for that reason alone', async () => {
    const { live, source, poll, held, done, emitted } = standing()
    await settled()
    await live.chain(SPY, alpha)
    expect(live.accept(SPY)).toBeUndefined()
    await poll('a spot a fifth lower')
    const before = held()!
    expect(live.accept(SPY)).toMatchObject({ symbol: SPY, reason: 'spot_off_options' })
    await done()
    expect(held()!.spot).toBeCloseTo(0.8 * before.spot, 9)
    expect(emitted).toMatchObject([
      ['readingDoubted', { reason: 'spot_off_options' }],
      ['doubtEnded', { by: 'operator' }]
    ])
    await poll('half of the contracts')
    expect(held()!.size).toBe(before.size)
    expect(source.count('SPY')).toBe(4)
  })

  /** Polls some times while somebody keeps asking for the symbols. */
  async function pollAsked({ live, poll }: ReturnType<typeof standing>, polls: number, symbols = [SPY]) {
    for (let k = 0; k < polls; k++) {
      for (const symbol of symbols) void refusal(() => live.chain(symbol, alpha)).catch(() => {})
      await poll('good')
    }
  }

  test('ends a doubt after the close too, when nothing newer is expected', async () => {
    const { live, poll, source } = standing()
    await settled()
    await live.chain(SPY, alpha)
    await poll('no open interest')
    expect(live.doubts).toHaveLength(1)
    source.latest = () => wednesday
    await poll('good')
    expect(live.doubts).toEqual([])
    const asked = source.count('SPY')
    await poll('good')
    expect(source.count('SPY')).toBe(asked)
  })

  test('1.4: a clock that is behind from the start is noticed, and no symbol stays away for it', async () => {
    const all = standing([SPY, AAPL], 10 * minute)
    const { live, source, held, clock } = all
    await pollAsked(all, 4, [SPY, AAPL])
    expect([live.clockBehindBy, held()!.asOf - clock.at]).toEqual([10 * minute, 10 * minute])
    source.ahead = 0
    clock.pass(10 * minute)
    await pollAsked(all, 1, [SPY, AAPL])
    expect([live.clockBehindBy, held()!.asOf - clock.at]).toEqual([undefined, 0])
  })

  test('1.4: so is a clock that is set back, and a clock that was right before is not to blame', async () => {
    const all = standing([SPY, AAPL])
    const { live, source, held, clock } = all
    await pollAsked(all, 2, [SPY, AAPL])
    const good = held()!
    source.ahead = 60 * minute
    await pollAsked(all, 9, [SPY, AAPL])
    expect([live.clockBehindBy, held()]).toEqual([undefined, good])
    source.ahead = 0
    await pollAsked(all, 1, [SPY, AAPL])
    clock.pass(-60 * minute)
    source.ahead = 60 * minute
    await pollAsked(all, 6, [SPY, AAPL])
    expect([live.clockBehindBy, held()!.asOf - clock.at]).toEqual([60 * minute, 60 * minute])
  })

  test.each([
    ['an hour', 60 * minute],
    ['36 days', 36 * 24 * 60 * minute]
  ])('a clock that jumps by %s and back, and a source that follows it, are in order within a poll', async (_, jump) => {
    for (const by of [jump, -jump]) {
      const all = standing()
      const { live, held, clock, emitted } = all
      await pollAsked(all, 2)
      clock.pass(by)
      await pollAsked(all, 2)
      expect(held()!.asOf).toBe(clock.at)
      clock.pass(-by)
      await pollAsked(all, 1)
      expect([held()!.asOf, live.clockBehindBy]).toEqual([clock.at, undefined])
      expect(emitted.filter(([name]) => name === 'futureReplaced')).toHaveLength(1)
    }
  })

  test('1.4: one symbol from the future among others is no matter of the clock', async () => {
    const { live, poll, held } = standing([SPY, AAPL])
    await settled()
    for (const symbol of [SPY, AAPL]) await live.chain(symbol, alpha)
    const before = held()!
    for (let k = 0; k < 10; k++) await poll('a moment from the future')
    expect(live.clockBehindBy).toBeUndefined()
    expect(held()).toBe(before)
  })
})

describe('1.6 a source that hangs', () => {
  test('holds up no caller while a good chain is held: a moment for the first, nothing for the rest', async () => {
    const { live, source, pass } = standing()
    await settled()
    const good = await live.chain(SPY, alpha)
    source.modes.set(SPY, 'hangs')
    await pass(alpha)
    const first = live.chain(SPY, alpha)
    await pass(50)
    expect(await first).toBe(good)
    for (let k = 0; k < 100; k++) expect(live.chain(SPY, alpha)).toBe(good)
    expect(source.count('SPY')).toBe(2)
    expect(live.isStale(good!)).toBe(false)
    await pass(28_950)
    expect(live.isStale(good!)).toBe(false)
    await pass(1)
    expect(live.isStale(good!)).toBe(true)
  })

  test('makes a caller wait 3 s at most where nothing is held', async () => {
    const { live, source, pass } = standing([])
    source.modes.set(SPY, 'hangs')
    const asking = refusal(() => live.chain(SPY, alpha))
    await pass(2999)
    expect([...live.loaded()]).toEqual([])
    await pass(1)
    const { code, message } = await asking
    expect([code, message]).toEqual([
      'data_loading',
      'SPY is still being loaded: the data source has not answered within 3 seconds; try again shortly'
    ])
  })

  test('makes nobody wait 3 s for a symbol that it is not known to list: it is unknown', async () => {
    const { live, source, pass } = standing([])
    const nobodys = 'ZZ1' as Ticker
    source.modes.set(nobodys, 'hangs')
    const asking = live.chain(nobodys, alpha)
    await pass(2000)
    await pass(500)
    expect(await asking).toBeUndefined()
  })

  test('is asked again within one poll of its own, however long it hung', async () => {
    const { live, source, poll, held, clock } = standing()
    await settled()
    await live.chain(SPY, alpha)
    for (let k = 0; k < 31; k++) await poll('hangs')
    expect(live.isStale(held()!)).toBe(true)
    expect(source.count('SPY')).toBeGreaterThan(29)
    await poll('good')
    expect([held()!.asOf, live.isStale(held()!)]).toEqual([clock.at, false])
  })

  test('and comes back while its callers are kept waits for nobody else', async () => {
    const { live, source, pass } = standing()
    await settled()
    await live.chain(SPY, alpha)
    await pass(alpha)
    const renewed = await live.chain(SPY, alpha)
    expect(renewed!.asOf).toBe(wednesday + alpha)
    expect(source.count('SPY')).toBe(2)
  })
})

describe('1.7 symbols that nobody keeps warm', () => {
  const unknown = (k: number) => `ZZ${k}` as Ticker
  const asker = (client: string) => ({ keyless: false, client })

  test('are loaded four at a time, all callers together', async () => {
    const { live, source } = standing([])
    for (const symbol of ['AAPL', 'KO', 'MSFT', 'SPY']) source.modes.set(symbol, 'hangs')
    for (const symbol of ['AAPL', 'KO', 'MSFT', 'SPY', 'ZZ1', 'ZZ2'])
      void Promise.resolve(live.chain(symbol as Ticker, alpha)).catch(() => {})
    await settled()
    expect(source.asked.map(({ symbol }) => symbol)).toEqual(['AAPL', 'KO', 'MSFT', 'SPY'])
    source.release()
    await settled()
    expect(source.asked.slice(4).map(({ symbol }) => symbol)).toEqual(['ZZ1', 'ZZ2'])
  })

  test('wait for their turn as long as their caller does, and are not asked for behind its back', async () => {
    const { live, source, pass } = standing([])
    for (const symbol of ['AAPL', 'KO', 'MSFT', 'SPY']) source.modes.set(symbol, 'hangs')
    for (const symbol of ['AAPL', 'KO', 'MSFT', 'SPY'])
      void Promise.resolve(live.chain(symbol as Ticker, alpha)).catch(() => {})
    const late = live.chain(unknown(1), alpha)
    await pass(2000)
    await pass(500)
    expect(await late).toBeUndefined()
    await pass(500)
    source.release()
    await settled()
    expect(source.count('ZZ1')).toBe(0)
  })

  test('are asked for no faster than the source allows', async () => {
    const all = standing([])
    all.source.modes.clear()
    const live = new LiveMarket({
      engine: inlineEngine({ connector: all.source, assumptions: madeUpAssumptions, endpoints: new Map() }),
      source: { ...all.source, onDemand: { burst: 5, perMinute: 60 } },
      universe: [],
      marketNow: all.clock.now,
      wallNow: all.clock.now,
      steadyNow: all.clock.steadyNow,
      after: () => () => {}
    })
    const asked = Array.from({ length: 20 }, (_, k) => Promise.resolve(live.chain(unknown(k), alpha)).catch(() => {}))
    await settled()
    expect(all.source.asked).toHaveLength(5)
    expect(asked).toHaveLength(20)
  })

  test('are limited for each client, long before the source is, and others go on', async () => {
    const { live, source, clock } = standing([])
    const ask = (k: number, client: string) => live.chain(unknown(k), alpha, asker(client))
    for (let k = 0; k < 30; k++) expect(await ask(k, 'one')).toBeUndefined()
    const { code, status, detail } = await refusal(() => ask(30, 'one'))
    expect([code, status, detail['retry_after']]).toEqual(['too_many_requests', 429, 2])
    expect(await ask(31, 'another')).toBeUndefined()
    expect(source.asked).toHaveLength(31)
    clock.pass(2000)
    expect(await ask(30, 'one')).toBeUndefined()
  })

  test('are not looked for without a key beyond what the source is known to list', async () => {
    const { live, source } = standing([])
    const keyless = { keyless: true }
    expect(live.chain(unknown(1), alpha, keyless)).toBeUndefined()
    expect(source.asked).toEqual([])
    expect((await live.chain(SPY, alpha, keyless))?.symbol).toBe('SPY')
  })

  test('wait with everything else while the source asks for a pause, whatever symbol it said so for', async () => {
    const { live, source, poll, clock, held } = standing([SPY, AAPL])
    await settled()
    for (const symbol of [SPY, AAPL]) await live.chain(symbol, alpha)
    await poll('is overrun', AAPL)
    const before = source.asked.length
    const good = held()
    for (let k = 0; k < 4; k++) {
      clock.pass(alpha)
      live.poll()
      expect(live.chain(SPY, alpha)).toBe(good)
    }
    for (const _ of ['first', 'again']) {
      const { code, retryAfter } = await refusal(() => live.chain('KO' as Ticker, alpha))
      expect([code, retryAfter]).toEqual(['data_loading', expect.any(Number)])
    }
    expect(source.asked).toHaveLength(before)
    await poll('good', AAPL)
    expect(source.asked.length).toBeGreaterThan(before)
  })

  test('of a source that asks for a pause of years are asked for after an hour', async () => {
    const { live, source, clock } = standing([])
    const { chain } = source
    const { SourceError } = await import('../../src/connectors/port/source-error.ts')
    source.chain = async () => {
      throw new SourceError('rate_limited', 'too many requests', 1e12)
    }
    await refusal(() => live.chain(SPY, alpha))
    source.chain = chain
    clock.pass(60 * minute)
    expect(await live.chain(AAPL, alpha)).toBeDefined()
  })
})

test('any sequence of good and bad payloads ends, one good poll later, in the state of the good ones alone', async () => {
  const anyMode = fc.constantFrom(...modes.filter((mode) => mode !== 'moves'))
  await fc.assert(
    fc.asyncProperty(fc.array(anyMode, { minLength: 1, maxLength: 25 }), async (sequence) => {
      const all = standing()
      await settled()
      await Promise.resolve(all.live.chain(SPY, alpha)).catch(() => {})
      for (const mode of sequence) {
        void Promise.resolve(all.live.chain(SPY, 15 * minute)).catch(() => {})
        await all.poll(mode)
        for (const chain of all.swapped) expect(all.source.good).toContain(`SPY ${chain.asOf}`)
      }
      // The pause after the last failure is over by then.
      all.source.modes.set(SPY, 'good')
      await all.pass(5 * minute)
      void Promise.resolve(all.live.chain(SPY, alpha)).catch(() => {})
      await all.done()
      await all.poll('good')
      const alone = standing()
      await settled()
      alone.clock.at = all.clock.at - alpha
      void Promise.resolve(alone.live.chain(SPY, alpha)).catch(() => {})
      await alone.done()
      await alone.poll('good')
      expect(all.held()!.asOf).toBe(all.clock.at)
      expect(all.held()).toEqual(alone.held())
      expect(all.live.isStale(all.held()!)).toBe(false)
      expect([all.live.clockBehindBy, all.state.silence]).toEqual([undefined, undefined])
      expect([...all.live.loaded()]).toHaveLength(1)
    }),
    { numRuns: 40, seed: 11 }
  )
})
