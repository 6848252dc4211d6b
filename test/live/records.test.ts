import { describe, expect, test } from 'vitest'
import { DailyRecords } from '../../src/live/days/live-records.ts'
import { MarketEventBus } from '../../src/live/market-events.ts'
import type { DailyRecord } from '../../src/market/daily-record.ts'
import { MAX_RECORDS } from '../../src/market/daily-record.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { engineWith } from '../support/engine-with.ts'
import { recordOf, sessionsBefore } from '../support/made-up-records.ts'
import { clockAt, wednesday } from '../support/scripted-source.ts'
import { minute, settled, standing, ticker } from './standing-market.ts'

const AAPL = ticker('AAPL')
const today = '2026-07-29' as IsoDate
const sessions = sessionsBefore(today, MAX_RECORDS)

/** Records held over an engine and an archive that tell what they were asked. */
function held({ archived = [] as readonly DailyRecord[], holdsPast = true } = {}) {
  const clock = clockAt(wednesday)
  const state = {
    asked: [] as string[][],
    stored: 0,
    lacking: new Set<string>(),
    fault: undefined as Error | undefined
  }
  let gate: Promise<void> = Promise.resolve()
  const records = new DailyRecords({
    engine: engineWith({
      makePastRecords: async ({ sessions }) => {
        state.asked.push([...sessions])
        await gate
        if (state.fault !== undefined) throw state.fault
        return sessions.filter((date) => !state.lacking.has(date)).map((date) => recordOf(date))
      },
      makeRecord: async () => recordOf(today)
    }),
    source: { holdsPast },
    archive: {
      records: async (_symbol, before, count) => {
        state.stored++
        return archived.filter(({ date }) => date < before).slice(-count)
      },
      closingSnapshot: async () => undefined
    },
    events: new MarketEventBus(),
    bars: () => [],
    dividends: () => [],
    marketNow: clock.now,
    steadyNow: clock.now
  })
  const hold = () => {
    let open = () => {}
    gate = new Promise((resolve) => (open = resolve))
    return open
  }
  return { clock, state, records, hold }
}

const dates = (found: readonly DailyRecord[]) => found.map(({ date }) => date)

describe('daily records', () => {
  test('are those of the newest sessions before a date, made once for many callers', async () => {
    const { records, state, clock } = held()
    const found = await Promise.all(Array.from({ length: 50 }, () => records.of(AAPL, today, 60)))
    expect(new Set(found).size).toBe(1)
    expect(dates(found[0])).toEqual(sessions.slice(-60))
    clock.pass(4 * 60 * minute)
    expect(records.of(AAPL, today, 60)).toBe(found[0])
    expect(state.asked).toEqual([sessions.slice(-60)])
  })

  test('are loaded as many as are asked for, never more than a year', async () => {
    const { records, state } = held()
    const few = await records.of(AAPL, today, 5)
    expect(few).toHaveLength(5)
    const all = await records.of(AAPL, today, 5000)
    expect(all).toHaveLength(MAX_RECORDS)
    expect(records.of(AAPL, today, 5)).toEqual(few)
    expect(records.of(AAPL, today, 5)).toBe(records.of(AAPL, today, 5))
    expect(state.asked.map((wanted) => wanted.length)).toEqual([5, MAX_RECORDS])
  })

  test('reach whoever asks for more while fewer are on their way', async () => {
    const { records, state, hold } = held()
    const open = hold()
    const few = records.of(AAPL, today, 5)
    const more = records.of(AAPL, today, 30)
    open()
    expect([(await few).length, (await more).length]).toEqual([5, 30])
    expect(state.asked.map((wanted) => wanted.length)).toEqual([5, 30])
  })

  test('come from the archive where it has them, older ones in the place of gaps too', async () => {
    const archived = sessions.slice(-9, -2).map((date) => recordOf(date, { close: 55 }))
    const { records, state } = held({ archived })
    const found = await records.of(AAPL, today, 6)
    expect(dates(found)).toEqual(sessions.slice(-6))
    expect(found.map(({ close }) => close)).toEqual([55, 55, 55, 55, 100, 100])
    expect(state.asked).toEqual([sessions.slice(-2)])
    const alone = held({ archived, holdsPast: false })
    expect(dates(await alone.records.of(AAPL, today, 6))).toEqual(sessions.slice(-8, -2))
    expect(alone.state.asked).toEqual([])
  })

  test('are none of a source without a past and without an archive', async () => {
    const { records } = held({ holdsPast: false })
    expect(await records.of(AAPL, today, 60)).toEqual([])
  })

  test('keep their list while the newest is not there yet, which is asked about every five minutes', async () => {
    const { records, state, clock } = held()
    state.lacking.add(sessions.at(-1)!)
    const early = await records.of(AAPL, today, 3)
    expect(dates(early)).toEqual(sessions.slice(-3, -1))
    clock.pass(5 * minute - 1)
    expect(records.of(AAPL, today, 3)).toBe(early)
    clock.pass(1)
    expect(await records.of(AAPL, today, 3)).toBe(early)
    state.lacking.clear()
    clock.pass(5 * minute)
    expect(dates(await records.of(AAPL, today, 3))).toEqual(sessions.slice(-3))
    clock.pass(24 * 60 * minute)
    await records.of(AAPL, today, 3)
    expect(state.asked).toHaveLength(3)
  })

  test('that cannot be made are left out, and tried again a minute later', async () => {
    const { records, state, clock } = held()
    state.fault = new Error('down')
    expect(await records.of(AAPL, today, 3)).toEqual([])
    clock.pass(minute - 1)
    expect(records.of(AAPL, today, 3)).toEqual([])
    state.fault = undefined
    clock.pass(1)
    expect(await records.of(AAPL, today, 3)).toHaveLength(3)
  })

  test('are kept for every date apart, and dropped when nobody asks for 15 minutes', async () => {
    const { records, state, clock } = held()
    await records.of(AAPL, today, 3)
    clock.pass(10 * minute)
    expect(dates(await records.of(AAPL, '2026-07-20' as IsoDate, 2))).toEqual(['2026-07-16', '2026-07-17'])
    clock.pass(6 * minute)
    records.dropIdle()
    expect(records.of(AAPL, '2026-07-20' as IsoDate, 2)).not.toBeInstanceOf(Promise)
    await records.of(AAPL, today, 3)
    records.drop(AAPL)
    await records.of(AAPL, today, 3)
    expect(state.asked).toHaveLength(4)
  })
})

describe('the live market', () => {
  test('makes records of the closes of its source; a weekly root has those of its index', async () => {
    const { live, source } = standing()
    const found = await live.records(ticker('SPXW'), today, 3)
    expect(dates(found)).toEqual(sessions.slice(-3))
    // The close before the first of them tells how its bands held.
    expect([...source.closes].sort()).toEqual(sessions.slice(-4).map((date) => `SPX ${date}`))
    await settled()
    expect(live.records(ticker('SPX'), today, 3)).toBe(found)
  })
})
