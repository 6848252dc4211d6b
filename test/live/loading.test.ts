import { describe, expect, test } from 'vitest'
import type { ApiError } from '../../src/api/error.ts'
import { SourceError } from '../../src/connectors/port/source-error.ts'
import { emptyChain } from '../support/scripted-source.ts'
import { alpha, basic, free, minute, settled, standing, ticker } from './standing-market.ts'

const refusal = async (asking: () => unknown): Promise<ApiError> => {
  try {
    await asking()
  } catch (error) {
    return error as ApiError
  }
  throw new Error('it answered')
}

describe('a symbol that is first asked for', () => {
  test('is loaded once, however many callers wait, and all get the same chain', async () => {
    const { live, source } = standing()
    const release = source.hold()
    const callers = Array.from({ length: 200 }, () => live.chain(ticker('AAPL'), alpha))
    release()
    const chains = new Set(await Promise.all(callers))
    expect(source.count('AAPL')).toBe(1)
    expect(chains.size).toBe(1)
    expect([...chains][0]?.symbol).toBe('AAPL')
  })

  test('and that the source does not know is asked about once for 200 callers, and not again for five minutes', async () => {
    const { live, source, clock } = standing()
    const callers = Array.from({ length: 200 }, () => live.chain(ticker('NOPE'), alpha))
    expect(await Promise.all(callers)).toEqual(Array.from({ length: 200 }, () => undefined))
    expect(source.count('NOPE')).toBe(1)
    clock.pass(5 * minute - 1)
    expect(live.chain(ticker('NOPE'), alpha)).toBeUndefined()
    expect(source.count('NOPE')).toBe(1)
    clock.pass(1)
    expect(await live.chain(ticker('NOPE'), alpha)).toBeUndefined()
    expect(source.count('NOPE')).toBe(2)
  })

  test('is not held or listed while it is unknown, and appears once the source knows it', async () => {
    const { live, source, clock } = standing()
    await live.chain(ticker('AMC'), alpha)
    expect([...live.loaded()]).toEqual([])
    expect(live.catalogue().asked).toEqual([])
    source.listing = () => emptyChain
    clock.pass(5 * minute)
    expect((await live.chain(ticker('AMC'), alpha))?.symbol).toBe('AMC')
    expect(live.catalogue().asked).toEqual(['AMC'])
  })

  test('and belongs to the universe is unknown too, not unavailable, when the source does not know it', async () => {
    const { live, source, clock, poll } = standing([{ symbol: ticker('TYPO'), tier: 1 }])
    live.start()
    live.stop()
    await settled()
    expect(source.count('TYPO')).toBe(1)
    expect(live.chain(ticker('TYPO'), alpha)).toBeUndefined()
    clock.pass(minute)
    await poll()
    expect(source.count('TYPO')).toBe(1)
    clock.pass(4 * minute)
    await poll()
    expect(source.count('TYPO')).toBe(2)
  })

  test('and that the source cannot load is refused as unavailable, at once while the source is left alone', async () => {
    const { live, source, clock } = standing()
    source.faults.set('AAPL', new SourceError('unavailable', 'the source is down'))
    const first = await refusal(() => live.chain(ticker('AAPL'), alpha))
    expect([first.code, first.status]).toEqual(['source_unavailable', 502])
    expect(first.message).toBe('AAPL cannot be loaded: the source is down')
    expect((await refusal(() => live.chain(ticker('AAPL'), alpha))).code).toBe('source_unavailable')
    expect(source.count('AAPL')).toBe(1)
    source.faults.clear()
    clock.pass(1000)
    expect((await live.chain(ticker('AAPL'), alpha))?.symbol).toBe('AAPL')
    expect(source.count('AAPL')).toBe(2)
  })

  test('and meets a fault of our own is not called unavailable', async () => {
    const { live, source } = standing()
    source.faults.set('AAPL', new TypeError('undefined is not a chain'))
    expect(await refusal(() => live.chain(ticker('AAPL'), alpha))).toBeInstanceOf(TypeError)
  })
})

describe('how old a chain may be', () => {
  test('depends on the plan: 15 minutes on Free, 15 seconds on Basic, a second on Alpha', async () => {
    const { live, source, clock } = standing()
    const first = await live.chain(ticker('AAPL'), free)
    for (const [age, freshness] of [
      [free, free],
      [basic, basic],
      [alpha, alpha]
    ]) {
      clock.pass(age - 1)
      const before = source.count('AAPL')
      const kept = live.chain(ticker('AAPL'), freshness)
      expect(kept).not.toBeInstanceOf(Promise)
      expect(source.count('AAPL')).toBe(before)
      clock.pass(1)
      const renewed = await live.chain(ticker('AAPL'), freshness)
      expect(renewed).not.toBe(kept)
      expect(renewed?.asOf).toBe(clock.at)
    }
    expect(first?.asOf).toBe(clock.at - free - basic - alpha)
    expect(source.count('AAPL')).toBe(4)
  })

  test('never makes the source be asked faster than it allows', async () => {
    const { live, source, clock } = standing()
    source.pace = 10_000
    await live.chain(ticker('AAPL'), alpha)
    clock.pass(9999)
    await live.chain(ticker('AAPL'), alpha)
    expect(source.count('AAPL')).toBe(1)
    clock.pass(1)
    await live.chain(ticker('AAPL'), alpha)
    expect(source.count('AAPL')).toBe(2)
  })

  test('does not matter while the source has nothing newer, as after the close', async () => {
    const { live, source, clock, poll } = standing()
    const close = clock.at + minute
    source.latest = (now) => Math.min(now, close)
    clock.at = close
    const last = await live.chain(ticker('AAPL'), alpha)
    clock.pass(10 * minute)
    expect(await live.chain(ticker('AAPL'), alpha)).toBe(last)
    await poll()
    expect(source.count('AAPL')).toBe(1)
    expect(live.isStale(last!)).toBe(false)
  })

  test('is judged again when a demonstration clock goes back to the opening', async () => {
    const { live, source, clock, market } = standing()
    market.shift = 5 * 60 * minute
    const late = await live.chain(ticker('AAPL'), alpha)
    clock.pass(alpha)
    market.shift = 0
    const early = await live.chain(ticker('AAPL'), alpha)
    expect(early!.asOf).toBe(clock.at)
    expect(late!.asOf).toBeGreaterThan(early!.asOf)
    expect(source.count('AAPL')).toBe(2)
  })
})

describe('a new chain', () => {
  test('takes the place of the old one whole: until it is there the old one serves', async () => {
    const { live, source, clock } = standing()
    const old = await live.chain(ticker('AAPL'), free)
    clock.pass(alpha)
    const release = source.hold()
    const waiting = live.chain(ticker('AAPL'), alpha)
    expect(waiting).toBeInstanceOf(Promise)
    expect(live.chain(ticker('AAPL'), free)).toBe(old)
    release()
    const renewed = await waiting
    expect(renewed).not.toBe(old)
    expect(live.chain(ticker('AAPL'), free)).toBe(renewed)
    expect([...live.loaded()].map(({ chain }) => chain)).toEqual([renewed])
  })
})

describe('the symbols held', () => {
  test('are at most 2000: the one asked for longest ago makes room', async () => {
    const { live, source, clock } = standing()
    source.listing = () => emptyChain
    for (let k = 0; k < 2000; k++) {
      await live.chain(ticker(`S${k}`), free)
      clock.pass(1)
    }
    await live.chain(ticker('S0'), free)
    expect([...live.loaded()]).toHaveLength(2000)
    await live.chain(ticker('ONE.MORE'), free)
    const held = [...live.loaded()].map(({ chain }) => chain.symbol as string)
    expect(held).toHaveLength(2000)
    expect(held).toContain('S0')
    expect(held).not.toContain('S1')
    expect(live.catalogue().asked).not.toContain('S1')
  })

  test('cannot be pushed out while they load: one more is refused as overload', async () => {
    const { live, source } = standing()
    const release = source.hold()
    const waiting = Array.from({ length: 2000 }, (_, k) => live.chain(ticker(`S${k}`), free))
    expect((await refusal(() => live.chain(ticker('ONE.MORE'), free))).code).toBe('overloaded')
    release()
    await Promise.all(waiting)
    expect(await live.chain(ticker('ONE.MORE'), free)).toBeUndefined()
  })
})
