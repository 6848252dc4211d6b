import { describe, expect, test } from 'vitest'
import { zeroDteSignal } from '../../../src/signals/strategies/zero-dte-signal.ts'
import { atmVolatility } from '../../../src/volatility/smile/smile-volatility.ts'
import { ladder } from '../../support/hand-made.ts'
import { chainOf, series, sliceOn } from '../../volatility/chains.ts'
import { read } from './reading.ts'

const today = '2026-07-29'
const terms = { minOpenInterest: 250, wingWidth: 5 }
const held = (calls: number, time = '14:30', date = today) =>
  chainOf(
    [
      series(date, {
        strikes: ladder(96, 104, 0.25),
        oi: (strike, right) => (strike === 100 && right === 0 ? calls : 300)
      })
    ],
    { time }
  )

describe('same-day range', () => {
  const chain = held(20_000)
  const iv = atmVolatility(sliceOn(chain, today))!
  const day = (open: number) => open * iv * Math.sqrt(1 / 252)

  test('the open, its move and what of it is gone', () => {
    const { figures, risks } = read(zeroDteSignal(chain, undefined, 100.5, terms))
    expect(figures).toMatchObject({ openSpot: 100.5, minutesToClose: 90, maxPain: 100, days: 0 })
    expect(figures.moveOfDay).toBeCloseTo(day(100.5), 10)
    expect(figures.consumed).toBeCloseTo((100 * 0.5) / day(100.5), 8)
    expect(figures.thetaAcceleration).toBeCloseTo(1 / Math.sqrt(1.5 / 6.5), 10)
    expect(risks).toEqual([])
  })

  test('five parts make the score', () => {
    const { figures, score, regime } = read(zeroDteSignal(chain, undefined, 100.5, terms))
    const gone = 1 - figures.consumed! / 100
    // Spot is at max pain: P is 1. Above the flip, or without one: g is 1 or a half.
    const g = figures.flip === undefined ? 0.5 : 1
    const sum = 0.25 * (figures.concentration / 100) + 0.2 + 0.2 * (1 - 1.5 / 6.5) + 0.2 * g + 0.15 * gone
    expect(figures.isBelowFlip).toBe(false)
    expect([score, regime]).toEqual([
      Math.round(100 * sum),
      score >= 70 ? 'pin_risk_positive_gamma' : 'range_compression'
    ])
  })

  test('without an open nothing of the move is known, and it counts as not begun', () => {
    const { figures, score } = read(zeroDteSignal(chain, undefined, undefined, terms))
    expect([figures.moveOfDay, figures.consumed]).toEqual([undefined, undefined])
    expect(score).toBe(read(zeroDteSignal(chain, undefined, 100, terms)).score)
  })

  test('a move that is exhausted is flagged, and one half beyond is no range', () => {
    const openFor = (share: number) => 100 / (1 - share * iv * Math.sqrt(1 / 252)) // about that share is gone
    const exhausted = read(zeroDteSignal(chain, undefined, openFor(1.1), terms))
    expect(exhausted.risks).toEqual(['EXPECTED_MOVE_EXHAUSTED'])
    const trending = read(zeroDteSignal(chain, undefined, openFor(1.7), terms))
    expect(trending.figures.consumed!).toBeGreaterThan(150)
    expect([trending.score <= 39, trending.regime, trending.structures]).toEqual([true, 'trend_risk_or_no_setup', []])
  })
})

test('minutes are whole, those of the day before the open, and late greeks are flagged', () => {
  const at = (time: string) => read(zeroDteSignal(held(900, time), undefined, undefined, terms))
  expect(at('08:00').figures.minutesToClose).toBe(390)
  expect(at('15:55:30')).toMatchObject({ figures: { minutesToClose: 4 }, risks: ['LATE_DAY_GREEKS'] })
  expect(at('15:55')).toMatchObject({ figures: { minutesToClose: 5 }, risks: [] })
})

test.each([
  ['2026-07-30', 0.9],
  ['2026-08-04', 0.4],
  ['2026-08-10', 0]
])('what expires on %s counts down over ten days: %d', (date, left) => {
  const { figures, score } = read(zeroDteSignal(held(20_000, '14:30', date), date as never, 100, terms))
  const g = figures.flip === undefined ? 0.5 : figures.isBelowFlip ? 0 : 1
  const sum = 100 * (0.25 * (figures.concentration / 100) + 0.2 + 0.2 * left + 0.2 * g + 0.15)
  expect(score).toBe(Math.round(figures.isBelowFlip ? Math.min(39, sum) : sum))
})

test('says what it lacks', () => {
  const tomorrow = held(900, '14:30', '2026-07-30')
  expect(zeroDteSignal(tomorrow, undefined, 100, terms)).toMatchObject({
    regime: 'no_same_day_expiry',
    missing: 'same_day_expiration'
  })
  expect(zeroDteSignal(tomorrow, '2026-08-30' as never, 100, terms).regime).toBe('no_expiry_chain')
  expect(zeroDteSignal(held(900, '16:30'), undefined, 100, terms).regime).toBe('no_same_day_expiry')
  const none = chainOf([series(today, { oi: 0 })])
  expect(zeroDteSignal(none, undefined, 100, terms)).toMatchObject({ missing: 'open_interest' })
})
