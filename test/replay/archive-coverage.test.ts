import { describe, expect, test } from 'vitest'
import type { CoveredDay, Gap } from '../../src/archive/history-store.ts'
import { session } from '../../src/market/calendar.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { coverageOf } from '../../src/replay/archive-coverage.ts'
import { parseMoment } from '../../src/replay/replay-moment.ts'

const now = parseMoment('2026-07-31T12:00:00')!
const day = (date: string, more: Partial<CoveredDay> = {}): CoveredDay => ({
  date: date as IsoDate,
  snapshots: 391,
  last: session(date as IsoDate)!.close,
  hasUnderlying: true,
  hasOptions: true,
  hasOpenInterest: true,
  hasFit: true,
  hasTape: false,
  fidelity: 'recorded',
  missing: ['trade_tape'],
  ...more
})
const gap = (from: string, to: string): Gap => ({
  symbol: 'KO' as Ticker,
  from: parseMoment(from)!,
  to: parseMoment(to)!,
  reason: 'stopped'
})
const covered = (days: readonly CoveredDay[], gaps: readonly Gap[] = []) => coverageOf(days, gaps, now)

describe('coverage', () => {
  test('counts exchange days from the first healthy day to the last', () => {
    const found = covered(['2026-07-01', '2026-07-02', '2026-07-06', '2026-07-08'].map((date) => day(date)))
    // 3 July is kept as Independence day.
    expect(found).toMatchObject({ first: '2026-07-01', last: '2026-07-08', totalDays: 5, healthyDays: 4, uncovered: 1 })
  })

  test('asks of a healthy day quotes of both kinds, open interest and a fit', () => {
    const lacks: Partial<CoveredDay>[] = [
      { hasOptions: false },
      { hasUnderlying: false },
      { hasOpenInterest: false },
      { hasFit: false }
    ]
    for (const missing of lacks) {
      const found = covered([day('2026-07-28'), day('2026-07-29', missing), day('2026-07-30')])
      expect([found.healthyDays, found.totalDays, found.uncovered]).toEqual([2, 3, 0])
      const alone = covered([day('2026-07-29', missing)])
      expect([alone.first, alone.last, alone.totalDays, alone.healthyDays]).toEqual([undefined, undefined, 0, 0])
    }
  })

  test('does not call a day healthy whose close was missed, or is yet to come', () => {
    const days = [day('2026-07-28'), day('2026-07-29'), day('2026-07-31')]
    expect(covered(days)).toMatchObject({ last: '2026-07-29', healthyDays: 2 })
    const missed = gap('2026-07-29T15:20:00', '2026-07-29T16:00:00')
    expect(covered(days, [missed])).toMatchObject({ last: '2026-07-28', healthyDays: 1 })
    const late = gap('2026-07-29T15:56:00', '2026-07-29T17:00:00')
    const midday = gap('2026-07-29T11:00:00', '2026-07-29T13:00:00')
    expect(covered(days, [midday, late])).toMatchObject({ last: '2026-07-29', healthyDays: 2 })
    const longer = gap('2026-07-28T15:00:00', '2026-07-30T12:00:00')
    expect(covered(days, [longer])).toMatchObject({ healthyDays: 0 })
  })

  test('does not call a day healthy on which the service was stopped before the close', () => {
    const stopped = (at: string) => day('2026-11-27', { last: parseMoment(at)! }) // a half day
    const after = parseMoment('2026-11-30T12:00:00')!
    expect(coverageOf([stopped('2026-11-27T12:54:59')], [], after)).toMatchObject({ options: 1, healthyDays: 0 })
    expect(coverageOf([stopped('2026-11-27T12:55:00')], [], after).healthyDays).toBe(1)
  })

  test('tells by table what there is, and what is missing beside it', () => {
    const found = covered([
      day('2026-07-27', { hasTape: true }),
      day('2026-07-28', { hasOpenInterest: false, hasFit: false }),
      day('2026-07-29', { hasFit: false }),
      day('2026-07-30', { hasOptions: false })
    ])
    expect(found).toMatchObject({
      underlying: 4,
      options: 3,
      openInterest: 3,
      fits: 2,
      tape: 1,
      missingOpenInterest: 1,
      missingFit: 1
    })
    const { healthyDays, underlying, options, openInterest, fits } = found
    expect(healthyDays).toBeLessThanOrEqual(Math.min(underlying, options, openInterest, fits))
  })

  test('joins days that follow each other on the exchange and lack the same', () => {
    const imported = { fidelity: 'imported', missing: ['trade_tape', 'quote_sizes'] } as const
    const found = covered([
      day('2026-07-01', imported),
      day('2026-07-02', { ...imported, missing: ['quote_sizes', 'trade_tape'] }),
      day('2026-07-06', imported), // over the holiday and the weekend
      day('2026-07-07'),
      day('2026-07-08', { missing: [] }),
      day('2026-07-10', { missing: [] }) // the 9th is missing
    ])
    expect(found.fidelity).toEqual([
      { from: '2026-07-01', to: '2026-07-06', level: 'imported', missing: ['quote_sizes', 'trade_tape'] },
      { from: '2026-07-07', to: '2026-07-07', level: 'recorded', missing: ['trade_tape'] },
      { from: '2026-07-08', to: '2026-07-08', level: 'recorded', missing: [] },
      { from: '2026-07-10', to: '2026-07-10', level: 'recorded', missing: [] }
    ])
  })

  test('of nothing is nothing', () => {
    expect(covered([])).toMatchObject({ first: undefined, totalDays: 0, healthyDays: 0, underlying: 0, fidelity: [] })
  })
})
