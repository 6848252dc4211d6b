import { expect, test } from 'vitest'
import { EndOfDay } from '../../../src/live/days/end-of-day.ts'
import type { DailyBar } from '../../../src/market/bar.ts'
import { addDays } from '../../../src/market/calendar.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import { eastern } from '../../support/hand-made.ts'
import { recordOf } from '../../support/made-up-records.ts'

/** A market that records its requests and can be made to fail for a symbol. */
function asked(date: string, time: string) {
  const state = {
    now: eastern(date, time),
    failing: new Set<string>(),
    /** Symbols whose record cannot be made at the moment. */
    unmade: new Set<string>(),
    bars: [] as readonly DailyBar[]
  }
  const days: string[] = []
  const failures: string[] = []
  const market = {
    now: () => state.now,
    bars: () => state.bars,
    earnings: () => undefined,
    records: (symbol: Ticker, before: IsoDate) => {
      if (state.failing.has(symbol)) throw new Error('no answer')
      days.push(`${symbol} before ${before}`)
      return state.unmade.has(symbol) ? [] : [recordOf(addDays(before, -1))]
    }
  }
  const symbols = ['SPY', 'QQQ'] as Ticker[]
  const round = new EndOfDay({ market, symbols, onFailure: (symbol) => failures.push(symbol) })
  return { round, state, days, failures }
}

test('takes the day of each symbol once, 35 minutes after the close', async () => {
  const { round, state, days } = asked('2026-07-29', '16:34')
  await round.run()
  expect(days).toEqual(['SPY before 2026-07-29', 'QQQ before 2026-07-29'])
  state.now = eastern('2026-07-29', '16:35')
  await round.run()
  await round.run()
  expect(days.slice(2)).toEqual(['SPY before 2026-07-30', 'QQQ before 2026-07-30'])
})

test('follows the calendar over half days and weekends', async () => {
  const { round, state, days } = asked('2026-11-27', '13:35')
  await round.run()
  state.now = eastern('2026-11-29', '12:00')
  await round.run()
  expect(days).toEqual(['SPY before 2026-11-28', 'QQQ before 2026-11-28'])
})

test('asks a symbol that failed again, and it alone', async () => {
  const { round, state, days, failures } = asked('2026-07-29', '17:00')
  state.failing.add('SPY')
  await round.run()
  expect([failures, days]).toEqual([['SPY'], ['QQQ before 2026-07-30']])
  state.failing.clear()
  await round.run()
  expect(days).toEqual(['QQQ before 2026-07-30', 'SPY before 2026-07-30'])
})

test('waits for the bar of the day up to two hours after the close', async () => {
  const { round, state, days } = asked('2026-07-29', '17:00')
  state.bars = [{ date: '2026-07-28' as IsoDate, open: 1, high: 1, low: 1, close: 1, volume: 1 }]
  await round.run()
  expect(days).toEqual([])
  state.now = eastern('2026-07-29', '18:00')
  await round.run()
  expect(days).toHaveLength(2)
})

test('asks again for a record that could not be made, up to two hours after the close', async () => {
  const { round, state, days } = asked('2026-07-29', '17:00')
  state.unmade.add('SPY')
  await round.run()
  await round.run()
  expect(days).toEqual(['SPY before 2026-07-30', 'QQQ before 2026-07-30', 'SPY before 2026-07-30'])
  state.now = eastern('2026-07-29', '18:00')
  await round.run()
  await round.run()
  expect(days).toHaveLength(4)
})
