import { expect, test } from 'vitest'
import { magnetPin, pinProbability } from '../../../src/exposure/pin/pin-risk.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import { givenScope } from '../given.ts'

// Everything at one strike: open interest and gamma score 100 each. At 12:45 half of the session is left.
const at = (strike: number, expiration: string) =>
  givenScope([{ strike, call: { oi: 10, gamma: 0.02 }, put: { oi: 10, gamma: 0.01 } }], { expiration })
const today = '2026-07-29'

test('half a day before expiration, at max pain, half a day of thirty is missing from certainty', () => {
  const pin = { strike: 100, date: today as IsoDate, straddle: undefined }
  expect(pinProbability(at(100, today), pin)).toBeCloseTo(30 + 25 + 25 * (1 - 0.5 / 30) + 20, 10)
})

test('proximity reaches as far as the straddle, and five percent without one', () => {
  const scope = at(101, '2026-09-30')
  const score = (straddle: number | undefined) =>
    pinProbability(scope, { strike: 101, date: '2026-09-30' as IsoDate, straddle })
  expect(score(2)).toBeCloseTo(30 + 25 * 0.5 + 20, 10)
  expect(score(undefined)).toBeCloseTo(30 + 25 * 0.8 + 20, 10)
  expect(score(0.1)).toBeCloseTo(30 + 20, 10) // never less than one percent
})

test('the pin of a magnet counts time over the day of expiration alone', () => {
  const { magnet, distance, risk } = magnetPin(at(100, today))
  expect([magnet?.strike, distance, risk.score]).toEqual([100, 0, 87.5])
  expect(magnetPin(at(100, '2026-07-30')).risk.score).toBe(75)
  expect(magnetPin(at(101, today)).distance).toBeCloseTo(1, 12)
})

test('without open interest there is no magnet', () => {
  const { magnet, distance } = magnetPin(givenScope([{ strike: 100, call: {}, put: {} }]))
  expect([magnet, distance]).toEqual([undefined, undefined])
})
