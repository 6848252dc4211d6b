import { describe, expect, test } from 'vitest'
import { SourceError } from '../../src/connectors/port/source-error.ts'
import { MAX_BARS } from '../../src/market/bar.ts'
import { addDays } from '../../src/market/calendar.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { barsOfCloses, datedBefore } from '../volatility/made-up-bars.ts'
import { minute, standing, ticker } from './standing-market.ts'

const AAPL = ticker('AAPL')
const hour = 60 * minute

/** A live market on Wednesday 2026-07-29, 11:00 New York, over a source with daily bars up to `newest`. */
function withBars(newest = '2026-07-28') {
  const stood = standing()
  const state = { newest, asked: [] as string[], count: 30, fault: undefined as Error | undefined }
  stood.source.dailyBars = async (symbol) => {
    state.asked.push(symbol)
    if (state.fault !== undefined) throw state.fault
    const bars = barsOfCloses(Array.from({ length: state.count }, (_, k) => 100 + k))
    return datedBefore(bars, addDays(state.newest as IsoDate, 1))
  }
  return { ...stood, state }
}

describe('daily bars', () => {
  test('are loaded once for many callers, and stay while the session lasts', async () => {
    const { live, state, clock } = withBars()
    const found = await Promise.all(Array.from({ length: 50 }, () => live.bars(AAPL)))
    expect(new Set(found).size).toBe(1)
    clock.pass(4 * hour)
    expect(live.bars(AAPL)).toBe(found[0])
    expect(state.asked).toEqual(['AAPL'])
  })

  test('are as many as any answer reads, the newest ones', async () => {
    const { live, state } = withBars()
    state.count = MAX_BARS + 50
    const bars = await live.bars(AAPL)
    expect([bars.length, bars.at(-1)?.date]).toEqual([MAX_BARS, '2026-07-28'])
  })

  test('are asked for again once a session is over, every five minutes until its bar is there', async () => {
    const { live, state, clock } = withBars()
    const before = await live.bars(AAPL)
    clock.pass(5 * hour + 1)
    expect(await live.bars(AAPL)).toBe(before)
    clock.pass(5 * minute - 1)
    expect(live.bars(AAPL)).toBe(before)
    state.newest = '2026-07-29'
    clock.pass(1)
    expect((await live.bars(AAPL)).at(-1)?.date).toBe('2026-07-29')
    clock.pass(15 * hour)
    await live.bars(AAPL)
    expect(state.asked).toHaveLength(3)
  })

  test('that cannot be loaded are none, and tried again a minute later', async () => {
    const { live, state, clock } = withBars()
    state.fault = new SourceError('timeout', 'too slow')
    expect(await live.bars(AAPL)).toEqual([])
    clock.pass(minute - 1)
    expect(live.bars(AAPL)).toEqual([])
    state.fault = undefined
    clock.pass(1)
    expect(await live.bars(AAPL)).toHaveLength(30)
  })

  test('of yesterday serve on where those of today cannot be loaded', async () => {
    const { live, state, clock } = withBars()
    const before = await live.bars(AAPL)
    state.fault = new SourceError('unavailable', 'gone')
    clock.pass(5 * hour + 1)
    expect(await live.bars(AAPL)).toBe(before)
  })

  test('of a weekly root are those of its index', async () => {
    const { live, state } = withBars()
    expect(await live.bars(ticker('SPXW'))).toBe(await live.bars(ticker('SPX')))
    expect(state.asked).toEqual(['SPX'])
  })

  test('are dropped when nobody asks for 15 minutes', async () => {
    const { live, state, clock, poll } = withBars()
    await live.bars(AAPL)
    clock.pass(15 * minute)
    await poll()
    expect(live.bars(AAPL)).not.toBeInstanceOf(Promise)
    clock.pass(15 * minute + 1)
    await poll()
    await live.bars(AAPL)
    expect(state.asked).toHaveLength(2)
  })
})
