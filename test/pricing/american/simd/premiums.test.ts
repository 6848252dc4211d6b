import { expect, test } from 'vitest'
import {
  contractBlock,
  EXERCISED,
  OFF_TABLE,
  TABULATED,
  VANISHED
} from '../../../../src/pricing/american/contract-block.ts'
import { premiumKernels } from '../../../../src/pricing/american/simd/premium-kernels.ts'
import { boundarySystem, guessBoundary, solveBoundary } from '../../../../src/pricing/american/yield/boundary.ts'
import type { ExerciseTerms } from '../../../../src/pricing/american/yield/exercise.ts'
import {
  PATCH_TERMS,
  patchShapes,
  SIGMA_TERMS,
  SPOT_TERMS
} from '../../../../src/pricing/american/yield/patch-shape.ts'
import {
  readYieldTable,
  readYieldValues,
  type YieldTable,
  yieldTable
} from '../../../../src/pricing/american/yield/yield-table.ts'
import { greeks, price } from '../../../../src/pricing/bsm.ts'
import { randomStream } from '../support.ts'

const random = randomStream(23)
const between = (low: number, high: number) => low + (high - low) * random()
const oneOf = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]
const shapes = Object.values(patchShapes)

function someTerms(): ExerciseTerms {
  const rate = between(0.001, 0.1)
  const dividendYield = oneOf([between(-0.02, 0.1), 0, rate, rate * 1.0001])
  return { t: oneOf([between(0.002, 0.1), between(0.1, 3), 1e-5]), rate, dividendYield }
}

/** The premium at one point by the definition of `YieldTable`, one term after another; undefined outside of the patches. */
function premiumByDefinition(grid: YieldTable, x: number, sigma: number): number | undefined {
  const { low, high, spotPatches, sigmaPatches, boundary, width, premium } = grid
  const middle = Math.sqrt(low * high)
  const end = (high - middle) / (high + middle)
  const across = (sigmaPatches / 2) * ((sigma - middle) / (sigma + middle) / end + 1)
  const row = Math.min(Math.max(Math.floor(across), 0), sigmaPatches - 1)
  const v = across - row - 0.5
  const sum = (coefficients: ArrayLike<number>, from: number) => {
    let total = 0
    for (let power = 0; power < SIGMA_TERMS; power++) total += coefficients[from + power] * v ** power
    return total
  }
  const along = (x - sum(boundary, SIGMA_TERMS * row)) / sum(width, SIGMA_TERMS * row)
  if (!(along > 0 && along < 1)) return undefined
  const patch = Math.floor(along * spotPatches)
  const z = along * spotPatches - patch - 0.5
  let total = 0
  for (let power = 0; power < SPOT_TERMS; power++) {
    total += z ** power * sum(premium, PATCH_TERMS * (row * spotPatches + patch) + SIGMA_TERMS * power)
  }
  return total
}

test('premiums are read as the definition of the grid has it, and slopes are those of the values', () => {
  const { logSpot, volatility, place, value, spotSlope, spotCurve, spotThird, sigmaSlope, crossSlope } = contractBlock()
  const seen = new Set<number>()
  let [worst, worstSlope, compared] = [0, 0, 0]
  for (let at = 0; at < 200; at++) {
    const low = between(0.03, 0.3)
    const grid = yieldTable(someTerms(), low, low * between(1.2, 20), oneOf(shapes))
    const count = Math.ceil(between(0, 256))
    const xs = Array.from({ length: count }, () =>
      oneOf([between(-0.3, 0.3), between(-1, 1), between(-4, 4), 0, 3, Number.NaN, Number.POSITIVE_INFINITY])
    )
    const sigmas = xs.map(() =>
      oneOf([between(low, grid.high), between(low, grid.high), low, grid.high, between(0, 3), Number.NaN])
    )
    /** Reads all points, moved by as much. */
    const readAt = (dx: number, dsigma: number) => {
      for (let q = 0; q < count; q++) {
        logSpot[q] = xs[q] + dx
        volatility[q] = sigmas[q] + dsigma
      }
      readYieldTable(grid, count)
      const taken = { place, value, spotSlope, spotCurve, spotThird, sigmaSlope, crossSlope }
      return Object.fromEntries(Object.entries(taken).map(([name, column]) => [name, Array.from(column)]))
    }
    const here = readAt(0, 0)
    for (let q = 0; q < count; q++) {
      seen.add(here.place[q])
      const isCovered = sigmas[q] >= grid.low && sigmas[q] <= grid.high
      const wanted = isCovered ? premiumByDefinition(grid, xs[q], sigmas[q]) : undefined
      expect(here.place[q] === TABULATED).toBe(wanted !== undefined)
      if (!isCovered) expect(here.place[q]).toBe(OFF_TABLE)
      worst = Math.max(worst, Math.abs(here.value[q] - (wanted ?? 0)))
    }
    const h = 1e-6 * low
    const moved = [readAt(-h, 0), readAt(h, 0), readAt(0, -h), readAt(0, h)]
    const [left, right, under, over] = moved
    for (let q = 0; q < count; q++) {
      if (here.place[q] !== TABULATED || moved.some((one) => one.place[q] !== TABULATED)) continue
      compared++
      const slopes: [number, number, number][] = [
        [here.spotSlope[q], left.value[q], right.value[q]],
        [here.sigmaSlope[q], under.value[q], over.value[q]]
      ]
      for (const [slope, before, after] of slopes) {
        worstSlope = Math.max(worstSlope, Math.abs((after - before) / (2 * h) - slope))
      }
    }
    for (const column of [place, value, sigmaSlope]) column.fill(77)
    for (let q = 0; q < count; q++) [logSpot[q], volatility[q]] = [xs[q], sigmas[q]]
    readYieldValues(grid, count)
    expect([...place.subarray(0, count)]).toEqual(here.place.slice(0, count))
    // The two readings add up their terms in another order.
    for (let q = 0; q < count; q++) {
      expect(Math.abs(value[q] - here.value[q])).toBeLessThan(1e-15)
      expect(Math.abs(sigmaSlope[q] - here.sigmaSlope[q])).toBeLessThan(1e-13)
    }
  }
  expect(worst).toBeLessThan(5e-16)
  expect(worstSlope).toBeLessThan(1e-8)
  expect(compared).toBeGreaterThan(1000)
  expect([...seen].sort()).toEqual([EXERCISED, TABULATED, VANISHED, OFF_TABLE])
})

test('European values and vegas are those of Black and Scholes', () => {
  const { moneyness, volatility, strike, price: quoted, upper, excess, vega } = contractBlock()
  let [worst, worstVega] = [0, 0]
  for (let at = 0; at < 200; at++) {
    const terms = {
      spot: between(1, 1000),
      t: between(0.001, 3),
      rate: between(-0.02, 0.1),
      dividendYield: between(-0.02, 0.1)
    }
    const right = oneOf(['call', 'put'] as const)
    const count = Math.ceil(between(0, 256))
    const isFirst = random() < 0.5
    const forward = terms.spot * Math.exp((terms.rate - terms.dividendYield) * terms.t)
    for (let q = 0; q < count; q++) {
      volatility[q] = between(0.03, 2)
      moneyness[q] = between(-3, 3) * volatility[q] * Math.sqrt(terms.t)
      strike[q] = forward * Math.exp(-moneyness[q])
      quoted[q] = between(0, 1) * terms.spot
      upper[q] = oneOf([volatility[q] * (1 + 1e-9), volatility[q] * 1.1, Number.POSITIVE_INFINITY])
    }
    const { spot, t, rate, dividendYield } = terms
    const [spotPart, discount] = [spot * Math.exp(-dividendYield * t), Math.exp(-rate * t)]
    premiumKernels().fillEuropeans(count, right === 'call' ? 1 : -1, spotPart, discount, Math.sqrt(t), isFirst)
    for (let q = 0; q < count; q++) {
      const option = { ...terms, right, strike: strike[q], sigma: volatility[q] }
      const isStart = isFirst && upper[q] === volatility[q] * (1 + 1e-9)
      const wanted = isStart ? 0 : price(option) - quoted[q]
      worst = Math.max(worst, Math.abs(excess[q] - wanted) / (spotPart + discount * strike[q]))
      worstVega = Math.max(worstVega, Math.abs(vega[q] / greeks(option).vega - 1))
    }
  }
  expect(worst).toBeLessThan(2e-15)
  expect(worstVega).toBeLessThan(1e-13)
})

test('a shape too large for the memory of the kernels is refused', () => {
  const terms = { t: 1, rate: 0.04, dividendYield: 0.01 }
  for (const large of [
    { points: 17, inner: 8, outer: 8 },
    { points: 8, inner: 33, outer: 8 }
  ]) {
    const system = boundarySystem(terms, large)
    expect(() => solveBoundary(system, 0.2, guessBoundary(system, 0.2), 1e-5)).toThrow(RangeError)
  }
  for (const large of [
    { spotDegree: 29 },
    { sigmaDegree: 21 },
    { spotPatches: 12 },
    { spotPatches: 7 },
    { sigmaPatches: 7 }
  ]) {
    expect(() => yieldTable(terms, 0.1, 0.5, { ...patchShapes.WIDE, ...large })).toThrow(RangeError)
  }
  const long = { ...patchShapes.WIDE, boundary: { points: 8, inner: 8, outer: 33 } }
  expect(() => yieldTable(terms, 0.1, 0.5, long)).toThrow(RangeError)
})
