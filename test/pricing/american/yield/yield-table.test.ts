import { describe, expect, test } from 'vitest'
import {
  contractBlock,
  EXERCISED,
  OFF_TABLE,
  TABULATED,
  VANISHED
} from '../../../../src/pricing/american/contract-block.ts'
import { type ExerciseTerms, exerciseOf } from '../../../../src/pricing/american/yield/exercise.ts'
import { patchShape, patchShapes } from '../../../../src/pricing/american/yield/patch-shape.ts'
import { type PremiumIntegral, premiumSlopesAt } from '../../../../src/pricing/american/yield/premium-integral.ts'
import {
  readYieldTable,
  type YieldTable,
  yieldTable,
  yieldTables
} from '../../../../src/pricing/american/yield/yield-table.ts'
import { exactIntegral, randomStream } from '../support.ts'

/** Reads a table at one point. */
function read(grid: YieldTable, x: number, sigma: number) {
  const block = contractBlock()
  block.logSpot[0] = x
  block.volatility[0] = sigma
  readYieldTable(grid, 1)
  return {
    place: block.place[0],
    value: block.value[0],
    first: block.spotSlope[0],
    second: block.spotCurve[0],
    third: block.spotThird[0],
    bySigma: block.sigmaSlope[0],
    cross: block.crossSlope[0]
  }
}

const FINE = { points: 12, inner: 24, outer: 64 }
const YEAR = 365
const ranges = {
  SHORT_DATED: { t: [1 / YEAR, 30 / YEAR], sigma: [0.06, 1] },
  LONG_DATED: { t: [30 / YEAR, 3], sigma: [0.06, 1] },
  WIDE: { t: [1 / YEAR, 3], sigma: [0.03, 2] }
} as const

describe.each(['SHORT_DATED', 'LONG_DATED', 'WIDE'] as const)('the grid %s', (name) => {
  const { t, sigma } = ranges[name]
  const [low, high] = sigma

  test('is right to 1e-5 of the strike, delta to 1e-4 and gamma to 1 % of that at the money, at 2,000 places', () => {
    const random = randomStream(20)
    const gammaErrors: number[] = []
    for (let grids = 0; grids < 100; ) {
      const terms = {
        t: t[0] * (t[1] / t[0]) ** random(),
        rate: -0.01 + 0.11 * random(),
        dividendYield: -0.02 + 0.12 * random()
      }
      if (exerciseOf(terms) !== 'below') continue
      grids++
      const grid = yieldTable(terms, low, high, patchShapes[name])
      let vol = low
      let integral: PremiumIntegral | undefined
      for (let run = 0; run < 20; run++) {
        // Five spots on each of four volatilities.
        if (run % 5 === 0) vol = low * (high / low) ** random()
        const total = vol * Math.sqrt(terms.t)
        if (run % 5 === 0 || integral === undefined) integral = exactIntegral(terms, vol, FINE)
        const x = Math.max(integral.logBoundary, -3) + 1e-7 + Math.min(2.5, 6 * total) * random()
        if (x > 3) continue
        const exact = premiumSlopesAt(integral, x)
        const found = read(grid, x, vol)
        expect(Math.abs(found.value - exact.value)).toBeLessThan(1e-5)
        if (found.place !== TABULATED) continue
        expect(Math.abs(found.first - exact.first)).toBeLessThan(1e-4)
        if (x > integral.logBoundary + 0.05 * total) {
          gammaErrors.push((Math.abs(found.second - exact.second) * total) / 0.4)
        }
      }
    }
    gammaErrors.sort((a, b) => a - b)
    expect(gammaErrors[Math.trunc(0.99 * gammaErrors.length)]).toBeLessThan(1e-3)
    expect(gammaErrors[gammaErrors.length - 1]).toBeLessThan(1e-2)
  })

  test('derivatives are those of its own values', () => {
    const random = randomStream(7)
    const terms = { t: Math.sqrt(t[0] * t[1]), rate: 0.045, dividendYield: 0.012 }
    const grid = yieldTable(terms, low, high, patchShapes[name])
    for (let run = 0; run < 200; run++) {
      const vol = low * 1.1 * (high / low / 1.2) ** random()
      const total = vol * Math.sqrt(terms.t)
      const x = total * (-0.5 + 2 * random())
      const h = 1e-4 * total
      const s = 1e-5 * vol
      const around = [read(grid, x - h, vol), read(grid, x + h, vol), read(grid, x, vol - s), read(grid, x, vol + s)]
      const here = read(grid, x, vol)
      const [left, right, low1, high1] = around
      if (here.place !== TABULATED || around.some((one) => one.place !== TABULATED)) continue
      const close = (slope: number, found: number, unit: number) =>
        expect(Math.abs(slope - found)).toBeLessThan(1e-4 * unit)
      close((right.value - left.value) / (2 * h), here.first, 0.1)
      close((right.first - left.first) / (2 * h), here.second, 1 / total)
      close((right.second - left.second) / (2 * h), here.third, 1 / total ** 2)
      close((high1.value - low1.value) / (2 * s), here.bySigma, 0.1)
      close((high1.first - low1.first) / (2 * s), here.cross, 1 / vol)
    }
  })

  test('its patches meet', () => {
    const terms = { t: t[1] / 2, rate: 0.045, dividendYield: 0.012 }
    const grid = yieldTable(terms, low, high, patchShapes[name])
    let worst = 0
    for (const vol of [1.1 * low, 0.3, 0.9 * high]) {
      let before = read(grid, -1, vol)
      // Steps so short that a jump would stand out of the slope.
      for (let x = -1 + 1e-4; x < 1; x += 1e-4) {
        const here = read(grid, x, vol)
        if (here.place === TABULATED && before.place === TABULATED) {
          worst = Math.max(worst, Math.abs(here.value - before.value - 0.5e-4 * (here.first + before.first)))
        }
        before = here
      }
    }
    expect(worst).toBeLessThan(1e-7)
  })
})

test('the shape follows time and the range of volatilities', () => {
  expect(patchShape(7 / YEAR, 0.1, 1)).toBe(patchShapes.SHORT_DATED)
  expect(patchShape(1, 0.1, 1)).toBe(patchShapes.LONG_DATED)
  expect(patchShape(7 / YEAR, 0.05, 1)).toBe(patchShapes.WIDE)
})

test('left of the boundary is exercised, right of the grid the premium has gone, other volatilities are off it', () => {
  const grid = yieldTable({ t: 0.1, rate: 0.045, dividendYield: 0.012 }, 0.1, 0.5, patchShapes.LONG_DATED)
  expect(read(grid, -0.5, 0.2)).toMatchObject({ place: EXERCISED, value: 0 })
  expect(read(grid, 1, 0.2)).toMatchObject({ place: VANISHED, value: 0 })
  expect(read(grid, 3.1, 0.2).place).toBe(OFF_TABLE)
  expect(read(grid, 0, 0.6).place).toBe(OFF_TABLE)
  expect(read(grid, 0, Number.NaN).place).toBe(OFF_TABLE)
})

test('a grid is plain data: numbers and typed arrays, the same after crossing to another thread', () => {
  const grids = yieldTables({ t: 0.5, rate: 0.045, dividendYield: 0.012 }, 0.1, 0.5)
  expect(structuredClone(grids)).toEqual(grids)
  expect(grids.put.premium.byteLength).toBeLessThan(12_000)
})

test('rights that are never exercised or have two boundaries say so and hold nothing', () => {
  const never: ExerciseTerms = { t: 0.5, rate: 0.045, dividendYield: 0 }
  expect(yieldTables(never, 0.1, 0.5).call).toMatchObject({ exercise: 'never', premium: new Float32Array(0) })
  expect(yieldTables(never, 0.1, 0.5).put.exercise).toBe('below')
  expect(yieldTables({ t: 0.5, rate: -0.02, dividendYield: -0.03 }, 0.1, 0.5).put.exercise).toBe('between')
})
