import { expect, test } from 'vitest'
import { expiryPositioningSignal } from '../../../src/signals/strategies/expiry-positioning-signal.ts'
import { ladder } from '../../support/hand-made.ts'
import { chainOf, series } from '../../volatility/chains.ts'
import { read } from './reading.ts'

const terms = { minOpenInterest: 250, wingWidth: 5 }
/** Everything is held at one strike, which is max pain; few or many are short gamma below it. */
const held = (at: number, date = '2026-07-31', calls = 9000, puts = 9000) =>
  chainOf([series(date, { oi: (strike, right) => (strike === at ? (right === 0 ? calls : puts) : 300) })])

test('open interest, proximity, time and gamma make the score', () => {
  const { figures, score, regime, structures, verdict, sample } = read(
    expiryPositioningSignal(held(100, '2026-07-31', 18_000), undefined, terms)
  )
  expect(figures).toMatchObject({ maxPain: 100, painDistance: 0, expiry: '2026-07-31', days: 2 })
  // 27,000 of 63,000 at the strike and 600 at each of two others: 2 × 44.8 %.
  expect([figures.openInterest, figures.concentration]).toEqual([63_000, Math.round((200 * 28_200) / 63_000)])
  // 30 0.895 + 25 + 25 (1 - (2 + 0.77) / 30) + 20, as the strike holds more than a quarter of all gamma
  expect(score).toBe(Math.round(0.3 * ((200 * 28_200) / 63_000) + 25 + 25 * (1 - (2 + 5 / 6.5) / 30) + 20))
  expect([regime, verdict, sample]).toEqual(['strong_pin_likely', 'candidate', 1])
  expect(structures.map(({ kind, legs }) => [kind, ...legs.map(({ strike }) => strike)])).toEqual([
    ['iron_fly', 100, 95, 100, 105]
  ])
})

test('below the flip the score is 39 at most and nothing is proposed', () => {
  const { score, regime, structures, figures } = read(
    expiryPositioningSignal(held(100, '2026-07-31', 300, 18_000), undefined, terms)
  )
  if (figures.flip !== undefined) expect(figures.isBelowFlip).toBe(true)
  if (figures.isBelowFlip) expect([score, regime, structures]).toEqual([39, 'no_pin_setup', []])
})

test('nothing is said without open interest, or of a date that is not live', () => {
  const none = chainOf([series('2026-07-31', { strikes: ladder(90, 110, 5), oi: 0 })])
  expect(expiryPositioningSignal(none, undefined, terms)).toMatchObject({
    missing: 'open_interest',
    regime: 'no_pin_setup'
  })
  expect(expiryPositioningSignal(held(100), '2026-07-30' as never, terms).missing).toBe('expiration')
})
