import { expect, test } from 'vitest'
import type { AcceptedSlice } from '../../../src/volatility/smile/slice.ts'
import { wingResiduals } from '../../../src/volatility/smile/wing-residuals.ts'

/** A flat fit of 20 % over a quarter, and points at so many deviations that are quoted so many vol points above it. */
function sliceOf(points: readonly (readonly [deviations: number, residual: number])[]): AcceptedSlice {
  const s = 0.2 * Math.sqrt(0.25)
  return {
    t: 0.25,
    rms: 0.01,
    svi: { a: 0.01, b: 0, rho: 0, m: 0, sigma: 0.1 },
    points: {
      size: points.length,
      k: Float64Array.from(points, ([deviations]) => deviations * s),
      iv: Float64Array.from(points, ([, residual]) => 0.2 + residual / 100),
      strike: Float64Array.from(points, ([deviations]) => 100 * Math.exp(deviations * s))
    }
  } as unknown as AcceptedSlice
}

test('residuals are quoted less fitted volatility, in vol points', () => {
  const { points, fitQuality } = wingResiduals(sliceOf([[-1, 0.5], [0, -0.25], [1, 0]])) // biome-ignore format: rows
  expect(points.map(({ right }) => right)).toEqual(['put', 'call', 'call'])
  expect(points.map(({ residual }) => residual.toFixed(6))).toEqual(['0.500000', '-0.250000', '0.000000'])
  expect(points[0].fittedIv).toBeCloseTo(20, 10)
  expect(fitQuality).toBe(37)
})

test('a wing begins half a deviation out and needs two points', () => {
  const { putRichness, callRichness } = wingResiduals(sliceOf([[-0.5001, 1], [-0.49, 9], [0.7, 1], [0.9, 1]])) // biome-ignore format: rows
  expect(putRichness).toBeUndefined()
  expect(callRichness).toBeCloseTo(1, 10)
})

test('richness is a mean by vega', () => {
  const points = [[-2, 2], [-1, 1]] as const // biome-ignore format: rows
  const vega = points.map(([deviations, residual]) => {
    const total = (0.2 + residual / 100) * 0.5
    return Math.exp(-((total / 2 - (deviations * 0.1) / total) ** 2) / 2)
  })
  const expected = (2 * vega[0] + vega[1]) / (vega[0] + vega[1])
  expect(wingResiduals(sliceOf(points)).putRichness).toBeCloseTo(expected, 10)
})
