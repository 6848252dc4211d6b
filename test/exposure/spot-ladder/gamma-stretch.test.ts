import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GammaBySpot } from '../../../src/exposure/spot-ladder/gamma-by-spot.ts'
import { gammaOn, gammaStretch } from '../../../src/exposure/spot-ladder/gamma-stretch.ts'

interface Kernel {
  readonly center: number
  /** σ √T */
  readonly width: number
  readonly weight: number
}

function profileOf(kernels: readonly Kernel[]): GammaBySpot {
  const column = (figure: (kernel: Kernel) => number) => Float64Array.from(kernels, figure)
  return {
    center: column(({ center }) => center),
    steepness: column(({ width }) => 1 / width),
    weight: column(({ weight }) => weight),
    size: kernels.length,
    gross: kernels.reduce((sum, { weight }) => sum + Math.abs(weight), 0),
    early: []
  }
}

const plainSum = (kernels: readonly Kernel[], at: number) =>
  kernels.reduce((sum, { center, width, weight }) => sum + weight * Math.exp(-(((at - center) / width) ** 2) / 2), 0)

const kernels = fc.array(
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

test('what a stretch says of net gamma is off by no more than its error bound, whichever way it runs', () => {
  fc.assert(
    fc.property(kernels, place, length, share, fc.boolean(), (all, from, long, at, upward) => {
      const to = upward ? from + long : from - long
      const stretch = gammaStretch(profileOf(all), from, to)
      const logX = from + at * (to - from)
      expect(Math.abs(gammaOn(stretch, logX) - plainSum(all, logX))).toBeLessThanOrEqual(stretch.errorBound)
    }),
    { numRuns: 5_000 }
  )
})

test('the error bound falls with the sixth power of the length, down to what rounding leaves', () => {
  const profile = profileOf([{ center: 0.01, width: 0.05, weight: 3 }])
  const bounds = [0.08, 0.04, 0.02].map((long) => gammaStretch(profile, 0, long).errorBound - 1e-12 * profile.gross)
  expect(bounds[0] / bounds[1]).toBeCloseTo(64, 6)
  expect(bounds[1] / bounds[2]).toBeCloseTo(64, 3)
  expect(gammaStretch(profile, 0, 1e-4).errorBound).toBeLessThan(2e-12 * profile.gross)
})

test('a contract too close to expiry for a series is summed as it is and adds no error', () => {
  const shortDated = [
    { center: 0.004, width: 0.002, weight: -5 },
    { center: 0.9, width: 0.002, weight: 5 }
  ]
  const stretch = gammaStretch(profileOf(shortDated), 0, 0.02)
  expect(stretch.shortDated.size).toBe(1)
  expect(stretch.errorBound).toBe(1e-12 * 10)
  for (const logX of [0, 0.003, 0.004, 0.011, 0.02]) {
    expect(Math.abs(gammaOn(stretch, logX) - plainSum(shortDated, logX))).toBeLessThan(1e-14)
  }
})
