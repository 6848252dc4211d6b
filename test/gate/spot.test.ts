import { describe, expect, test } from 'vitest'
import { impliedSpot, parityValues } from '../../src/market/implied-spot.ts'
import type { Ticker } from '../../src/market/units.ts'
import { ladder, type SeriesSketch } from '../support/hand-made.ts'
import { dates, held, ofSeries, outcomeOf, series } from './candidates.ts'

const offs = [1.02, 1.05, 1.1, 1.14, 1.2, 1.5, 10, 0.98, 0.95, 0.9, 0.86, 0.8, 0.5, 0.1]

describe.each(offs)('a spot at %s times what its options say', (factor) => {
  test('is doubted, whatever is held', () => {
    expect(outcomeOf({ ...held, spot: factor * held.spot })).toBe('spot_off_options')
  })

  test('is doubted of a first chain too, beyond what a dividend explains', () => {
    const first = outcomeOf({ ...held, spot: factor * held.spot }, { held: undefined })
    expect(first).toBe(factor === 1.02 ? 'taken' : 'spot_off_options')
  })

  test('while the options stand still after the close is doubted beside the chain that is held, and taken alone', () => {
    const closed = { ...ofSeries(series, 100, { time: '16:00' }), spot: 100 * factor }
    expect(outcomeOf(closed, { held: undefined })).toBe('taken')
    if (Math.abs(factor - 1) > 0.02) expect(outcomeOf(closed)).toBe('spot_off_options')
  })
})

test('a spot that moves with its options is taken, however far', () => {
  for (const spot of [84, 90, 99, 101, 118]) expect(outcomeOf(ofSeries(series, spot, { time: '11:01' }))).toBe('taken')
})

test('options that stand still while spot moves on are doubted once they are out of reach', () => {
  const outcomes = [100.5, 101, 102, 105].map((spot) => outcomeOf({ ...held, spot }))
  expect(outcomes).toEqual(['taken', 'spot_off_options', 'spot_off_options', 'spot_off_options'])
})

test('lies within the bounds of its options whatever the carry is', () => {
  const bounds = impliedSpot(parityValues(held))!
  expect(bounds.low).toBeLessThan(100)
  expect(bounds.high).toBeGreaterThan(100)
  expect(bounds.high - bounds.low).toBeLessThan(1)
  // A borrow fee of 60 % a year lowers every call by it; the line through two expirations takes it out.
  const lent = { ...held, bid: held.bid.slice(), ask: held.ask.slice() }
  for (const { date, start, end } of held.expirations) {
    const fee = 60 * ((Date.parse(date) - Date.parse('2026-07-29')) / (365 * 86_400_000))
    for (let i = start; i < end; i++) {
      if (held.right[i] === 0) lent.bid[i] = lent.ask[i] = Math.max(0.01, held.ask[i] - fee / 2)
      else lent.bid[i] = lent.ask[i] = held.ask[i] + fee / 2
    }
  }
  expect(outcomeOf(lent, { held: undefined })).toBe('taken')
})

test('a distance that is the same in the held chain is the carry of its options', () => {
  const paid = { ...held, spot: 104.5 }
  expect(outcomeOf(paid)).toBe('spot_off_options')
  expect(outcomeOf(paid, { held: { ...paid, asOf: paid.asOf - 60_000 } })).toBe('taken')
})

test('wide quotes tell less', () => {
  const wide: SeriesSketch[] = series.map((one) => ({ ...one, spread: 1.6 }))
  expect(outcomeOf(ofSeries(wide, 100), { held: undefined })).toBe('taken')
  expect(outcomeOf({ ...ofSeries(wide, 100), spot: 101.5 }, { held: ofSeries(wide) })).toBe('taken')
  expect(outcomeOf({ ...ofSeries(wide, 100), spot: 130 }, { held: ofSeries(wide) })).toBe('spot_off_options')
})

describe('without options that tell', () => {
  const bare = (spot: number, time = '11:00') =>
    ofSeries(
      dates.map((date) => ({ date, strikes: ladder(80, 124, 4), oi: 0, volume: 0, quote: () => [0, Number.NaN] })),
      spot,
      { time }
    )

  test('a move of up to 15 % is taken, and a larger one waits for them', () => {
    const before = bare(100)
    for (const [spot, outcome] of [
      [115, 'taken'],
      [116, 'spot_jump'],
      [84, 'spot_jump']
    ] as const) {
      expect([spot, outcomeOf(bare(spot, '11:05'), { held: before })]).toEqual([spot, outcome])
    }
    expect(
      outcomeOf(ofSeries(series, 116, { time: '11:06' }), { held: { ...held, openInterest: held.openInterest } })
    ).toBe('taken')
  })
})

describe('an index of volatility, whose options are on futures', () => {
  const VIX = 'VIX' as Ticker
  const at = (spot: number, futures: number, time = '11:00') => ({
    ...ofSeries(
      dates.map((date) => ({ date, strikes: ladder(0.6 * futures, 1.5 * futures, 1), oi: 50 })),
      futures,
      { time }
    ),
    spot,
    symbol: VIX
  })
  // The strikes must be listed whatever the futures are.
  const listed = (spot: number, futures: number, time = '11:00') => ({
    ...ofSeries(
      dates.map((date) => ({ date, strikes: ladder(8, 60, 1), oi: 50 })),
      futures,
      { time }
    ),
    spot,
    symbol: VIX
  })

  test('may lie anywhere at first, and as far from them as before after that', () => {
    expect(outcomeOf(at(16, 20), { held: undefined })).toBe('taken')
    expect(outcomeOf(listed(16.4, 20, '11:01'), { held: listed(16, 20) })).toBe('taken')
    expect(outcomeOf(listed(17.2, 20, '11:01'), { held: listed(16, 20) })).toBe('spot_off_options')
    expect(outcomeOf(listed(32, 20, '11:01'), { held: listed(16, 20) })).toBe('spot_off_options')
  })

  test('may run ahead of futures that follow, as on 2024-08-05', () => {
    expect(outcomeOf(listed(55, 33, '11:01'), { held: listed(23.4, 21) })).toBe('taken')
  })
})
