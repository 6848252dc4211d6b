import { describe, expect, test } from 'vitest'
import { settledBy } from '../../src/gate/open-interest.ts'
import type { Chain } from '../../src/market/chain.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { held, ofSeries, outcomeOf, series, verdictOn } from './candidates.ts'

const today = '2026-07-29' as IsoDate
const close = ofSeries(series, 100, { date: '2026-07-28', time: '16:00' })
const morning = ofSeries(series, 100, { time: '09:00' })
/** A chain whose open interest is another function of the held one, by slot. */
const interest = (chain: Chain, change: (open: number, slot: number) => number): Chain => ({
  ...chain,
  openInterest: chain.openInterest.map(change)
})
/** An update as the exchange makes it: half of the contracts, by less than was traded. */
const update = (chain: Chain) => interest(chain, (open, slot) => (slot % 2 === 0 ? open + 9 : open))

test('the one update of a day is taken, before the open or after it', () => {
  expect(outcomeOf(update(morning), { held: close })).toBe('taken')
  expect(outcomeOf(update(held), { held: close })).toBe('taken')
  expect(outcomeOf(update(held), { held: morning })).toBe('taken')
})

test('a second one of the same day is doubted, and the next day it is the update again', () => {
  expect(settledBy(update(morning), close, undefined)).toBe(today)
  expect(settledBy(held, update(morning), today)).toBe(today)
  expect(settledBy(held, morning, undefined)).toBeUndefined()
  expect(outcomeOf(update(held), { settledOn: today })).toBe('open_interest')
  expect(outcomeOf(update({ ...held, source: 'another' }), { settledOn: today })).toBe('taken')
  const tomorrow = ofSeries(series, 100, { date: '2026-07-30', time: '09:31' })
  expect(outcomeOf(update(tomorrow), { settledOn: today })).toBe('taken')
})

test('corrections of single contracts are taken at any time', () => {
  const corrected = interest(held, (open, slot) => (slot < 4 ? open + 5 : open)) // 4 of 96
  expect(outcomeOf(corrected, { settledOn: today })).toBe('taken')
  expect(
    outcomeOf(
      interest(held, (open, slot) => (slot < 6 ? open + 5 : open)),
      { settledOn: today }
    )
  ).toBe('open_interest')
})

describe.each([
  ['within a session', held, held],
  ['over night', held, close]
])('%s', (_, chain, before) => {
  test.each<[string, (open: number, slot: number) => number]>([
    ['all of it zero', () => 0],
    ['half of it zero', (open, slot) => (slot % 2 === 0 ? 0 : open)],
    ['a sixth of it zero', (open, slot) => (slot % 6 === 0 ? 0 : open)],
    ['a third more of all of it', (open) => Math.round(1.34 * open)],
    ['all of it unknown', () => -1],
    ['a tenth of it unknown', (open, slot) => (slot % 10 === 0 ? -1 : open)],
    ['all of it doubled', (open) => 2 * open],
    ['one contract with two billion', (open, slot) => (slot === 3 ? 2_000_000_000 : open)],
    ['that of another contract each', (_, slot) => 1 + ((slot * 389) % 900)]
  ])('open interest with %s is doubted', (_name, change) => {
    expect(outcomeOf(interest(chain, change), { held: before })).toBe('open_interest')
  })
})

test('what trading explains may be any share of it', () => {
  const busy = { ...close, volume: close.volume.map(() => 5000) }
  const grown = interest(held, (open) => open + 4000)
  expect(outcomeOf(grown, { held: busy })).toBe('taken')
  expect(verdictOn(grown, { held: close })).toMatchObject({ reason: 'open_interest' })
})

test('an update before the open may move more, since no volume explains it', () => {
  const moved = interest(held, (open) => Math.round(1.5 * open))
  expect(outcomeOf(moved, { held: morning })).toBe('taken')
  expect(outcomeOf(moved)).toBe('open_interest')
  expect(
    outcomeOf(
      interest(held, (open) => 2 * open),
      { held: morning }
    )
  ).toBe('open_interest')
})

test('that of a few contracts in all is not judged, but for a fall to nothing', () => {
  const few = interest(held, (_, slot) => (slot < 60 ? 1 : 0))
  expect(
    outcomeOf(
      interest(few, (open) => 9 * open),
      { held: few }
    )
  ).toBe('taken')
  expect(
    outcomeOf(
      interest(few, () => 0),
      { held: few }
    )
  ).toBe('open_interest')
  expect(
    outcomeOf(
      interest(held, () => 0),
      { held: interest(held, (_, slot) => (slot < 49 ? 1 : 0)) }
    )
  ).toBe('taken')
})

test('after sessions that nobody saw more of it may have moved', () => {
  const earlier = ofSeries(series, 100, { date: '2026-07-22', time: '16:00' })
  const moved = interest(held, (open) => Math.round(1.55 * open))
  expect(outcomeOf(moved, { held: earlier })).toBe('taken')
  expect(outcomeOf(moved, { held: close })).toBe('open_interest')
})
