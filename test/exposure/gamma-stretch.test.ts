import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GammaBySpot } from '../../src/exposure/gamma-by-spot.ts'
import { gammaOn, gammaStretch } from '../../src/exposure/gamma-stretch.ts'

interface Bell {
  readonly center: number
  /** σ √T */
  readonly width: number
  readonly weight: number
}

function profileOf(bells: readonly Bell[]): GammaBySpot {
  const column = (figure: (bell: Bell) => number) => Float64Array.from(bells, figure)
  return {
    center: column(({ center }) => center),
    steepness: column(({ width }) => 1 / width),
    weight: column(({ weight }) => weight),
    size: bells.length,
    gross: bells.reduce((sum, { weight }) => sum + Math.abs(weight), 0)
  }
}

const plainSum = (bells: readonly Bell[], at: number) =>
  bells.reduce((sum, { center, width, weight }) => sum + weight * Math.exp(-(((at - center) / width) ** 2) / 2), 0)

const bells = fc.array(
  fc.record({
    center: fc.double({ min: -0.3, max: 0.3, noNaN: true }),
    width: fc.double({ min: -4, max: 0, noNaN: true }).map((power) => 10 ** power),
    weight: fc.integer({ min: -1000, max: 1000 })
  }),
  { minLength: 1, maxLength: 40 }
)
const place = fc.double({ min: -0.2, max: 0.2, noNaN: true })
const length = fc.double({ min: 1e-4, max: 0.2, noNaN: true })
const share = fc.double({ min: 0, max: 1, noNaN: true })

test('what a stretch says of net gamma is off by no more than its doubt, whichever way it runs', () => {
  fc.assert(
    fc.property(bells, place, length, share, fc.boolean(), (all, from, long, at, upward) => {
      const to = upward ? from + long : from - long
      const stretch = gammaStretch(profileOf(all), from, to)
      const logX = from + at * (to - from)
      expect(Math.abs(gammaOn(stretch, logX) - plainSum(all, logX))).toBeLessThanOrEqual(stretch.doubt)
    }),
    { numRuns: 5_000 }
  )
})

test('the doubt falls with the sixth power of the length, down to what rounding leaves', () => {
  const profile = profileOf([{ center: 0.01, width: 0.05, weight: 3 }])
  const doubts = [0.08, 0.04, 0.02].map((long) => gammaStretch(profile, 0, long).doubt - 1e-12 * profile.gross)
  expect(doubts[0] / doubts[1]).toBeCloseTo(64, 6)
  expect(doubts[1] / doubts[2]).toBeCloseTo(64, 3)
  expect(gammaStretch(profile, 0, 1e-4).doubt).toBeLessThan(2e-12 * profile.gross)
})

test('a bell too steep for a series is summed as it is and adds no doubt', () => {
  const steep = [
    { center: 0.004, width: 0.002, weight: -5 },
    { center: 0.9, width: 0.002, weight: 5 }
  ]
  const stretch = gammaStretch(profileOf(steep), 0, 0.02)
  expect(stretch.steep.size).toBe(1)
  expect(stretch.doubt).toBe(1e-12 * 10)
  for (const logX of [0, 0.003, 0.004, 0.011, 0.02]) {
    expect(Math.abs(gammaOn(stretch, logX) - plainSum(steep, logX))).toBeLessThan(1e-14)
  }
})
