import { describe, expect, test } from 'vitest'
import type { Chain } from '../../src/market/chain.ts'
import { type Examined, examine } from '../../src/market/examination.ts'
import type { PayloadRows } from '../../src/market/payload-rows.ts'
import { ladder, sketched } from '../support/hand-made.ts'

const moment = { date: '2026-07-29', time: '11:00' }
const series = ['2026-07-31', '2026-08-21', '2026-09-18', '2026-12-18'].map((date) => ({
  date,
  strikes: ladder(80, 124, 4)
}))
const held = sketched({ ...moment, spot: 100, series })
const wellRead: PayloadRows = { rows: 100, unreadable: 0, unusable: 0, unusableLiquid: 0 }

const reasonOf = (chain: Chain, more: Partial<Examined> = {}) =>
  examine({ chain, held, reading: wellRead, now: held.asOf, clockIsTrusted: true, agreed: undefined, ...more })?.reason
const ofSeries = (some: typeof series, spot = 100) => sketched({ ...moment, spot, series: some })

test('a chain like the one that is held passes, and so does the first of a symbol', () => {
  expect(reasonOf(held)).toBeUndefined()
  expect(reasonOf(held, { held: undefined, reading: undefined })).toBeUndefined()
  expect(reasonOf(ofSeries([]), { held: undefined })).toBeUndefined()
})

describe('1.1 a list that has lost its options', () => {
  test('is refused as malformed where it is empty, however often it comes', () => {
    const agreed = { claim: '', polls: 100 }
    expect(reasonOf(ofSeries([]), { agreed })).toBe('malformed')
  })

  test('is refused below 70 % of the live contracts, and taken from there on', () => {
    const cut = (from: number) => ofSeries(series.map((one) => ({ ...one, strikes: ladder(from, 124, 4) })))
    expect(reasonOf(cut(96))).toBe('malformed') // 8 of 12 strikes
    expect(reasonOf(cut(92))).toBeUndefined() // 9 of 12
  })

  test('is refused where other contracts stand in the place of those that are held', () => {
    expect(reasonOf(ofSeries(series.map((one) => ({ ...one, strikes: ladder(81, 125, 4) }))))).toBe('malformed')
  })

  test('is refused with under half of its rows readable', () => {
    expect(reasonOf(held, { reading: { ...wellRead, unreadable: 51 } })).toBe('malformed')
    expect(reasonOf(held, { reading: { ...wellRead, unreadable: 50 } })).toBeUndefined()
  })
})

describe('1.3 dropped expirations', () => {
  test('are refused, and believed once three polls in a row agree', () => {
    const less = ofSeries(series.slice(2))
    const first = examine({
      chain: less,
      held,
      reading: wellRead,
      now: held.asOf,
      clockIsTrusted: true,
      agreed: undefined
    })
    expect(first).toMatchObject({ reason: 'malformed', message: 'it lists 2 of the 4 live expirations' })
    const claim = first!.claim!
    expect(reasonOf(less, { agreed: { claim, polls: 1 } })).toBe('malformed')
    expect(reasonOf(less, { agreed: { claim: 'something else', polls: 2 } })).toBe('malformed')
    expect(reasonOf(less, { agreed: { claim, polls: 2 } })).toBeUndefined()
  })

  test('are no fault once the calendar has them expired', () => {
    const days = ['2026-07-29', '2026-12-18'].map((date) => ({ date, strikes: ladder(80, 124, 4) }))
    const before = sketched({ ...moment, spot: 100, series: days })
    const after = sketched({ date: '2026-07-29', time: '16:05', spot: 100, series: days.slice(1) })
    expect(reasonOf(after, { held: before, now: after.asOf })).toBeUndefined()
  })
})

describe('1.2 quotes of no use', () => {
  const quoted = (quote: (strike: number, right: number) => readonly [number, number] | undefined, time = '11:00') =>
    sketched({ ...moment, time, spot: 100, series: series.map((one) => ({ ...one, quote })) })

  test('that are all zero are refused while the market is open, and are none of its business afterwards', () => {
    expect(reasonOf(quoted(() => [0, Number.NaN]))).toBe('unusable_quotes')
    const closed = quoted(() => [0, Number.NaN], '16:30')
    expect(reasonOf(closed, { now: closed.asOf })).toBeUndefined()
  })

  test('of up to a fifth of the traded rows leave the snapshot as it is', () => {
    const some = (count: number) => quoted((strike) => (strike < 80 + 4 * count ? [0, Number.NaN] : undefined))
    expect(reasonOf(some(2))).toBeUndefined() // 2 of 12
    expect(reasonOf(some(3))).toBe('unusable_quotes') // 3 of 12
  })

  test('that were left out as rows count with them', () => {
    expect(reasonOf(held, { reading: { ...wellRead, unusable: 24, unusableLiquid: 24 } })).toBeUndefined() // of 120
    expect(reasonOf(held, { reading: { ...wellRead, unusable: 25, unusableLiquid: 25 } })).toBe('unusable_quotes')
  })

  test('that cross on over a tenth of the contracts are refused', () => {
    const crossing = (strikes: readonly number[]) =>
      quoted((strike, right) => (right === 0 && strikes.includes(strike) ? [9, 8] : undefined))
    expect(reasonOf(crossing([80, 84]))).toBeUndefined() // 8 of 96
    expect(reasonOf(crossing([80, 84, 88]))).toBe('unusable_quotes') // 12 of 96
  })
})

describe('1.4 a moment from the future', () => {
  test('is refused past two minutes, and not where the clock is known to be behind', () => {
    expect(reasonOf(held, { now: held.asOf - 120_000 })).toBeUndefined()
    expect(reasonOf(held, { now: held.asOf - 120_001 })).toBe('from_the_future')
    expect(reasonOf(held, { now: held.asOf - 600_000, clockIsTrusted: false })).toBeUndefined()
  })
})

describe('1.5 a spot that jumps', () => {
  test.each([1.16, 0.84, 10, 0.01])('to %s times itself while the options stay is refused', (factor) => {
    expect(reasonOf({ ...held, spot: factor * held.spot })).toBe('spot_jump')
  })

  test('by up to 15 %, or with the options, is taken', () => {
    expect(reasonOf({ ...held, spot: 1.15 * held.spot })).toBeUndefined()
    expect(reasonOf(ofSeries(series, 118))).toBeUndefined()
    expect(reasonOf(ofSeries(series, 84))).toBeUndefined()
  })

  test('without options that tell is believed once three polls agree', () => {
    const bare = sketched({
      date: '2026-07-29',
      time: '16:30',
      spot: 130,
      series: series.map((one) => ({ ...one, quote: () => [0, Number.NaN] as const }))
    })
    const first = examine({
      chain: bare,
      held,
      reading: undefined,
      now: bare.asOf,
      clockIsTrusted: true,
      agreed: undefined
    })
    expect(first?.reason).toBe('spot_jump')
    expect(reasonOf(bare, { now: bare.asOf, agreed: { claim: first!.claim!, polls: 2 } })).toBeUndefined()
  })
})
