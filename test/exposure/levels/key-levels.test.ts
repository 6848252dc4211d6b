import { expect, test } from 'vitest'
import {
  curvatureAtSpot,
  gammaCurvature,
  gammaPeaks,
  inflectionStrike
} from '../../../src/exposure/breakdown/gamma-profile.ts'
import { byStrike } from '../../../src/exposure/by-strike.ts'
import { dealerHedge } from '../../../src/exposure/hedging.ts'
import { keyLevels, sameDayMagnet } from '../../../src/exposure/levels/key-levels.ts'
import { dealerAlignment } from '../../../src/exposure/pin/max-pain-signal.ts'
import { pinRisk, topStrikesShare } from '../../../src/exposure/pin/pin-risk.ts'
import { liveScope } from '../../../src/exposure/scope.ts'
import { handMade } from '../../support/markets.ts'
import { type GivenStrike, given, givenScope } from '../given.ts'

/** Strikes whose net gamma exposure is `gammas` in units of 100 USD per contract at a spot of 100. */
const profile = (strikes: readonly number[], gammas: readonly number[]): readonly GivenStrike[] =>
  strikes.map((strike, k) =>
    gammas[k] >= 0 ? { strike, call: { oi: 1, gamma: gammas[k] } } : { strike, put: { oi: 1, gamma: -gammas[k] } }
  )

test('walls are the largest call gamma and the most negative put gamma, on whatever side of spot they lie', () => {
  const { callWall, putWall, maxPositiveGamma, maxNegativeGamma, highestOi, magnet } = keyLevels(
    givenScope([
      { strike: 90, call: { oi: 10, gamma: 0.05 }, put: { oi: 10, gamma: 0.01 } },
      { strike: 100, call: { oi: 10, gamma: 0.04 }, put: { oi: 30, gamma: 0.02 } },
      { strike: 110, call: { oi: 10, gamma: 0.01 }, put: { oi: 10, gamma: 0.07 } }
    ])
  )
  expect(callWall?.strike).toBe(90)
  expect(putWall?.strike).toBe(110)
  expect(maxPositiveGamma?.strike).toBe(90)
  expect(maxNegativeGamma?.strike).toBe(110)
  expect(highestOi?.strike).toBe(100)
  expect(magnet?.strike).toBe(110)
  expect(callWall?.callGex).toBeCloseTo(0.05 * 10 * 100 * 100 * 100 * 0.01, 9)
})

test.each([
  [100, 95],
  [101, 105],
  [99, 95]
])('of equal figures the strike nearest to spot wins, then the lower: spot %d gives %d', (spot, strike) => {
  const side = { oi: 10, gamma: 0.03 }
  const levels = keyLevels(
    givenScope(
      [
        { strike: 95, call: side },
        { strike: 105, call: side }
      ],
      { spot }
    )
  )
  expect(levels.callWall?.strike).toBe(strike)
  expect(levels.maxPositiveGamma?.strike).toBe(strike)
  expect(levels.highestOi?.strike).toBe(strike)
  expect(levels.magnet?.strike).toBe(strike)
  const puts = keyLevels(
    givenScope(
      [
        { strike: 95, put: side },
        { strike: 105, put: side }
      ],
      { spot }
    )
  )
  expect(puts.putWall?.strike).toBe(strike)
  expect(puts.maxNegativeGamma?.strike).toBe(strike)
})

test('a level is absent where no strike qualifies', () => {
  const calls = keyLevels(givenScope([{ strike: 100, call: { oi: 5, gamma: 0.1 } }]))
  expect([calls.putWall, calls.maxNegativeGamma]).toEqual([undefined, undefined])
  const none = keyLevels(givenScope([{ strike: 100, call: { oi: 0 }, put: { oi: 0 } }]))
  expect(Object.values(none)).toEqual(Array(8).fill(undefined))
  const unpriced = keyLevels(givenScope([{ strike: 100, call: { oi: 8, sigma: Number.NaN } }]))
  expect(unpriced.callWall).toBeUndefined()
  expect(unpriced.highestOi?.strike).toBe(100)
})

test('the magnet of today is gone once nothing live expires today', () => {
  expect(sameDayMagnet(handMade('several expirations on a day of expiry').chain)).toBeDefined()
  expect(sameDayMagnet(handMade('after the close').chain)).toBeUndefined()
  expect(sameDayMagnet(handMade('one expiration').chain)).toBeUndefined()
})

test('the second difference weighs uneven strikes', () => {
  const rows = byStrike(givenScope(profile([100, 105, 115], [2, 5, 1])))
  const g = (gamma: number) => gamma * 100 * 100
  const byHand = (2 * ((g(1) - g(5)) / 10 - (g(5) - g(2)) / 5)) / 15
  expect(gammaCurvature([rows[0], rows[1], rows[2]])).toBeCloseTo(byHand, 6)
  expect(curvatureAtSpot(rows, 101)).toBeCloseTo(byHand, 6)
  expect(curvatureAtSpot(rows.slice(1), 101)).toBeUndefined()
})

test('curvature at spot is taken over the three nearest strikes, the lower of equally near ones', () => {
  const rows = byStrike(givenScope(profile([90, 95, 100, 105, 110], [0, 1, 4, 1, 9])))
  expect(curvatureAtSpot(rows, 100)).toBeCloseTo(gammaCurvature([rows[1], rows[2], rows[3]]), 9)
  expect(curvatureAtSpot(rows, 97.5)).toBeCloseTo(gammaCurvature([rows[0], rows[1], rows[2]]), 9)
})

test('the inflection strike bends most, ties go to the one nearest to spot, a straight profile has none', () => {
  const strikes = [90, 95, 100, 105, 110]
  expect(inflectionStrike(byStrike(givenScope(profile(strikes, [0, 8, 0, 8, 0]))), 101)).toBe(100)
  expect(inflectionStrike(byStrike(givenScope(profile([90, 95, 100, 105], [8, 0, 8, 0]))), 99)).toBe(100)
  expect(inflectionStrike(byStrike(givenScope(profile([90, 95, 100, 105], [8, 0, 8, 0]))), 96)).toBe(95)
  expect(inflectionStrike(byStrike(givenScope(profile(strikes, [0, 0, 0, 0, 0]))), 100)).toBeUndefined()
  expect(inflectionStrike(byStrike(givenScope(profile([95, 100], [1, 7]))), 100)).toBeUndefined()
})

test('peaks reach both neighbours, at the ends the only one, and a tenth of the largest', () => {
  const strikes = [90, 95, 100, 105, 110, 115, 120, 125]
  const peaks = gammaPeaks(byStrike(givenScope(profile(strikes, [5, 1, -10, 0.5, 1, 0.2, 0.99, 0.3]))))
  expect(peaks.map(({ row }) => row.strike)).toEqual([100, 90, 110])
  expect(peaks.map(({ strength }) => strength)).toEqual([1, 0.5, 0.1])
  const level = byStrike(givenScope(profile([90, 95, 100], [3, 3, 3])))
  expect(gammaPeaks(level).map(({ row }) => row.strike)).toEqual([90, 95, 100])
  const one = byStrike(givenScope(profile([90, 95, 100], [1, 10, 1])))
  expect(gammaPeaks(one).map(({ row }) => row.strike)).toEqual([95])
  expect(gammaPeaks(byStrike(givenScope(profile([90, 95], [0, 0]))))).toEqual([])
})

test('a pin score is the weighted sum of its four parts', () => {
  const scope = givenScope(
    [
      { strike: 90, call: { oi: 10, gamma: 0.01 } },
      { strike: 95, put: { oi: 20, gamma: 0.02 } },
      { strike: 100, call: { oi: 40, gamma: 0.03 } },
      { strike: 105, call: { oi: 15, gamma: 0.02 } },
      { strike: 110, put: { oi: 15, gamma: 0.01 } }
    ],
    { spot: 100.4 }
  )
  const risk = pinRisk(scope, { strike: 100, reach: 0.01, elapsed: 60 })
  expect(topStrikesShare(scope, 3)).toBeCloseTo(75, 12)
  expect(risk.oi).toBe(100)
  expect(risk.proximity).toBeCloseTo(100 * (1 - 0.4 / 1.004), 9)
  expect(risk.time).toBe(60)
  // |10·1|, |20·2|, |40·3|, |15·2|, |15·1|: 120 of 215, four times that is above 100.
  expect(risk.gamma).toBe(100)
  expect(pinRisk(scope, { strike: 105, reach: 0.05, elapsed: 0 }).gamma).toBeCloseTo((400 * 30) / 215, 9)
  expect(risk.score).toBeCloseTo(0.3 * 100 + 0.25 * risk.proximity + 0.25 * 60 + 0.2 * 100, 9)
})

test('a pin score without magnet or open interest keeps what is left of its parts', () => {
  const spread = Array.from({ length: 10 }, (_, k) => ({ strike: 91 + 2 * k, call: { oi: 10, gamma: 0.01 } }))
  const scope = givenScope(spread)
  expect(pinRisk(scope, { strike: undefined, reach: 0.01, elapsed: 40 })).toEqual({
    oi: 60,
    proximity: 0,
    time: 40,
    gamma: 0,
    score: 0.3 * 60 + 0.25 * 40
  })
  const empty = givenScope([{ strike: 100, call: { oi: 0 } }])
  expect(topStrikesShare(empty, 3)).toBeUndefined()
  expect(pinRisk(empty, { strike: undefined, reach: 0.01, elapsed: 0 }).score).toBe(0)
  expect(pinRisk(scope, { strike: 109, reach: 0.01, elapsed: 0 }).proximity).toBe(0)
})

test('dealers trade against the move in positive gamma, with it in negative gamma, the same number both ways', () => {
  expect(dealerHedge(1_000_000, 100, 1)).toEqual({ shares: -10_000, buys: false, notional: -1_000_000 })
  expect(dealerHedge(1_000_000, 100, -1)).toEqual({ shares: 10_000, buys: true, notional: 1_000_000 })
  expect(dealerHedge(-250, 100, 1).shares).toBe(3)
  expect(dealerHedge(-250, 100, -1).shares).toBe(-3)
  expect(dealerHedge(-250, 100, 0.1).shares).toBe(0)
  expect(Object.is(dealerHedge(10, 100, 1).shares, 0)).toBe(true)
  expect(dealerHedge(0, 100, 1)).toEqual({ shares: 0, buys: true, notional: 0 })
})

test('alignment asks for walls and flip first, then for a place between the walls, then for the flip within half a percent', () => {
  const walls = { callWall: 110, putWall: 90 }
  expect(dealerAlignment(100, 100, { flip: 100.5, ...walls })).toBe('converging')
  expect(dealerAlignment(100, 100, { flip: 100.51, ...walls })).toBe('moderate')
  expect(dealerAlignment(90, 100, { flip: 90.5, ...walls })).toBe('converging')
  expect(dealerAlignment(89.99, 100, { flip: 90, ...walls })).toBe('diverging')
  expect(dealerAlignment(111, 100, { flip: 111, ...walls })).toBe('diverging')
  expect(dealerAlignment(100, 100, { flip: 100, callWall: 90, putWall: 110 })).toBe('converging')
  for (const missing of ['flip', 'callWall', 'putWall'] as const) {
    expect(dealerAlignment(150, 100, { flip: 100, ...walls, [missing]: undefined })).toBe('unknown')
  }
})

test('sums by strike add every series and know nothing of unknown counts', () => {
  const chain = given([
    { strike: 100, call: { oi: -1, volume: -1, gamma: 0.5 }, put: { oi: 4, volume: 6, gamma: 0.5 } }
  ])
  const [row] = byStrike({ ...liveScope(chain), slots: Int32Array.from([0, 1]), expirations: [0] })
  expect([row.callOi, row.callVolume, row.callGex]).toEqual([0, 0, 0])
  expect([row.putOi, row.putVolume]).toEqual([4, 6])
  expect(row.putGex).toBeCloseTo(-0.5 * 4 * 100 * 100 * 100 * 0.01, 9)
  expect(row.dag).toBeCloseTo(row.putGex * Math.abs(chain.delta[1]), 9)
})
