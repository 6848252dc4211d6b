import { describe, expect, test } from 'vitest'
import { surfaceGrid } from '../../src/volatility/surface/surface-grid.ts'
import { surfaceMoneyness, totalVarianceSurface } from '../../src/volatility/surface/total-variance-surface.ts'
import { totalVariance } from '../../src/volatility/svi/svi.ts'
import { acceptedOf, flat } from './generated.ts'

const near = acceptedOf({ a: 0.002, b: 0.04, rho: -0.6, m: 0.03, sigma: 0.1 }, 0.1)
const far = acceptedOf({ a: 0.01, b: 0.08, rho: -0.6, m: 0.03, sigma: 0.12 }, 0.5)

describe('the total variance surface', () => {
  test('has 41 decimals from -0.5 to 0.5', () => {
    expect(surfaceMoneyness).toHaveLength(41)
    expect([surfaceMoneyness[0], surfaceMoneyness[20], surfaceMoneyness[40]]).toEqual([-0.5, 0, 0.5])
    expect(surfaceMoneyness.every((k) => k === Number(k.toFixed(3)))).toBe(true)
  })

  test('has a row for each slice, in variance and in percent', () => {
    const surface = totalVarianceSurface([near, far])
    expect(surface.totalVariance).toHaveLength(2)
    surfaceMoneyness.forEach((k, j) => {
      expect(surface.totalVariance[1][j]).toBe(totalVariance(far.svi, k))
      expect(surface.impliedVolatility[1][j]).toBeCloseTo(100 * Math.sqrt(totalVariance(far.svi, k) / 0.5), 12)
    })
    expect(totalVarianceSurface([])).toEqual({ totalVariance: [], impliedVolatility: [] })
  })
})

describe('the surface grid', () => {
  test('is 50 by 50, even in time and in moneyness', () => {
    const grid = surfaceGrid([near, far])!
    expect(grid.tenors).toHaveLength(50)
    expect([grid.tenors[0], grid.tenors[49]]).toEqual([0.1, 0.5])
    expect([grid.moneyness[0], grid.moneyness[49]]).toEqual([-0.5, 0.5])
    expect(grid.iv.every((row) => row.length === 50)).toBe(true)
    expect(grid.slicesUsed).toBe(2)
    for (let n = 2; n < 50; n++) {
      expect(grid.tenors[n] - grid.tenors[n - 1]).toBeCloseTo(0.4 / 49, 12)
    }
  })

  test('has the slices at its ends and total variance linear in time between them', () => {
    const grid = surfaceGrid([near, far])!
    grid.moneyness.forEach((k, j) => {
      const [low, high] = [totalVariance(near.svi, k), totalVariance(far.svi, k)]
      expect(grid.iv[0][j]).toBeCloseTo(100 * Math.sqrt(low / 0.1), 10)
      expect(grid.iv[49][j]).toBeCloseTo(100 * Math.sqrt(high / 0.5), 10)
      const t = grid.tenors[20]
      const w = low + ((high - low) * (t - 0.1)) / 0.4
      expect(grid.iv[20][j]).toBeCloseTo(100 * Math.sqrt(w / t), 10)
    })
  })

  test('begins at a day and ends at two years', () => {
    const grid = surfaceGrid([acceptedOf(flat(0.2, 0.001), 0.001), far, acceptedOf(flat(0.2, 3), 3)])!
    expect([grid.tenors[0], grid.tenors[49]]).toEqual([1 / 365, 2])
  })

  test('keeps every volatility between 1 and 300 %', () => {
    const grid = surfaceGrid([acceptedOf(flat(0.001, 0.1), 0.1), acceptedOf(flat(4, 0.2), 0.2)])!
    const all = grid.iv.flat()
    expect([Math.min(...all), Math.max(...all)]).toEqual([1, 300])
  })

  test('needs two slices with time between the bounds', () => {
    expect(surfaceGrid([])).toBeUndefined()
    expect(surfaceGrid([near])).toBeUndefined()
    expect(surfaceGrid([acceptedOf(flat(0.2, 2.5), 2.5), acceptedOf(flat(0.2, 3), 3)])).toBeUndefined()
  })
})
