import { describe, expect, test } from 'vitest'
import type { Chain } from '../../src/market/chain.ts'
import { eastern } from '../support/hand-made.ts'
import { held, ofSeries, outcomeOf, series } from './candidates.ts'

const minute = 60_000
const later = (chain: Chain, milliseconds: number) => ({ ...chain, asOf: chain.asOf + milliseconds })
const traded = (volumeOf: (was: number, i: number) => number) => ({
  ...later(held, minute),
  volume: held.volume.map(volumeOf)
})

describe('volume within a session', () => {
  test('only grows, but for busted trades of a few contracts', () => {
    expect(outcomeOf(traded((was, i) => was + (i % 7)))).toBe('taken')
    expect(outcomeOf(traded((was, i) => (i % 11 === 0 ? 0 : was)))).toBe('taken') // 9 of 96
    expect(outcomeOf(traded((was, i) => (i % 8 === 0 ? was - 1 : was)))).toBe('volume') // 12 of 96
    expect(outcomeOf(traded(() => 0))).toBe('volume')
  })

  test('that is unknown is no fall', () => expect(outcomeOf(traded(() => -1))).toBe('taken'))

  test('in another unit is doubted, and a rush of trades is not', () => {
    expect(outcomeOf(traded((was) => 100 * was))).toBe('volume')
    expect(outcomeOf(traded((was) => 3 * was))).toBe('volume')
    expect(outcomeOf(traded((was) => 2 * was))).toBe('taken')
    expect(outcomeOf(traded((was, i) => (4 + (i % 9)) * was))).toBe('taken')
  })

  test('begins anew with a session, and is that of each source', () => {
    const next = ofSeries(
      series.map((one) => ({ ...one, volume: 0 })),
      100,
      { date: '2026-07-30' }
    )
    expect(outcomeOf(next)).toBe('taken')
    expect(outcomeOf({ ...traded(() => 0), source: 'another' })).toBe('taken')
  })
})

describe('a chain that repeats the held one under a later time', () => {
  const strikes = Array.from({ length: 60 }, (_, k) => 70 + k)
  const wide = ofSeries(series.map((one) => ({ ...one, strikes })))
  const outcome = (chain: Chain, before = wide) => outcomeOf(chain, { held: before })

  test('is dropped as an older one is, whatever its spot', () => {
    expect(outcome(later(wide, minute))).toBe('older')
    expect(outcome({ ...later(wide, minute), spot: 100.02 })).toBe('older')
    expect(outcome(later(wide, 0))).toBe('taken')
  })

  test.each(['bid', 'askSize', 'volume', 'last', 'openInterest'] as const)('is taken where one %s changed', (name) => {
    const column = wide[name].slice()
    column[17] += 1
    expect(outcome({ ...later(wide, minute), [name]: column })).toBe('taken')
  })

  test('is taken from another source, of few quotes, and after the close', () => {
    expect(outcome({ ...later(wide, minute), source: 'another' })).toBe('taken')
    expect(outcomeOf(later(held, minute))).toBe('taken')
    const closed = { ...wide, asOf: eastern('2026-07-29', '16:30') }
    expect(outcome(later(closed, minute), closed)).toBe('taken')
  })
})
