import { afterEach, expect, test } from 'vitest'
import { boundarySystem, guessBoundary, plainEquations } from '../../../../src/pricing/american/boundary.ts'
import type { BoundaryShape } from '../../../../src/pricing/american/boundary-tables.ts'
import { excess, moneyness, slot, upper, vega } from '../../../../src/pricing/american/contract-block.ts'
import { fillPlainEuropeans } from '../../../../src/pricing/american/european-block.ts'
import type { ExerciseTerms } from '../../../../src/pricing/american/exercise.ts'
import { type GridShape, gridShapes } from '../../../../src/pricing/american/grid-shape.ts'
import { cumulativeNormal } from '../../../../src/pricing/american/normal-table.ts'
import {
  crossSlope,
  EXERCISED,
  GONE,
  HELD,
  logSpot,
  OFF_GRID,
  place,
  sigmaSlope,
  spotCurve,
  spotSlope,
  spotThird,
  value,
  volatility
} from '../../../../src/pricing/american/premium-block.ts'
import { premiumGrid } from '../../../../src/pricing/american/premium-grid.ts'
import { readPlainPremiums, readPlainValues } from '../../../../src/pricing/american/premium-reading.ts'
import { gridKernels } from '../../../../src/pricing/american/simd/grid-kernels.ts'
import { quickEquations } from '../../../../src/pricing/american/simd/quick-equations.ts'
import { fillQuickEuropeans } from '../../../../src/pricing/american/simd/quick-europeans.ts'
import { readQuickPremiums, readQuickValues } from '../../../../src/pricing/american/simd/quick-reading.ts'
import { isRoomFor } from '../../../../src/pricing/american/simd/quick-tables.ts'
import { usePlainKernels } from '../../../../src/pricing/kernel-choice.ts'
import { randomStream } from '../support.ts'

// Grids and their boundaries are the same to the last bit in WebAssembly and without.

afterEach(() => usePlainKernels(false))

const random = randomStream(23)
const between = (low: number, high: number) => low + (high - low) * random()
const oneOf = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]

function someTerms(): ExerciseTerms {
  const rate = oneOf([between(0.001, 0.1), between(0.001, 0.1), 0.25, 1e-6])
  const dividendYield = oneOf([between(-0.02, 0.1), 0, rate, rate * 1.0001, -0.25, 0.25])
  return { t: oneOf([between(0.002, 0.1), between(0.1, 3), 1e-5]), rate, dividendYield }
}

const shapes: readonly GridShape[] = Object.values(gridShapes)
const boundaryShapes: readonly BoundaryShape[] = [
  ...shapes.map(({ boundary }) => boundary),
  { points: 3, inner: 7, outer: 9 },
  { points: 7, inner: 3, outer: 8 }
]

test('the equations of a boundary and their slopes are those of the plain functions', () => {
  for (let at = 0; at < 600; at++) {
    const system = boundarySystem(someTerms(), oneOf(boundaryShapes))
    const { jacobian, residual } = system.tables.scratch
    const sigma = oneOf([between(0.03, 2), between(0.1, 0.4), 1e-3])
    const depth = guessBoundary(system, sigma).map((one) => one * oneOf([1, 1, between(0.5, 2), 1e-9, 1e3, Number.NaN]))
    plainEquations(system, sigma, depth)
    const plain = [...jacobian, ...residual]
    jacobian.fill(-777)
    residual.fill(-777)
    expect(quickEquations(system, sigma, depth)).toBe(true)
    expect([...jacobian, ...residual], JSON.stringify({ ...system.terms, sigma })).toEqual(plain)
  }
})

test('a shape that there is no room for is left to the plain functions', () => {
  const system = boundarySystem({ t: 1, rate: 0.04, dividendYield: 0.01 }, { points: 9, inner: 8, outer: 8 })
  expect(quickEquations(system, 0.2, guessBoundary(system, 0.2))).toBe(false)
  const shape = { ...gridShapes.WIDE, boundary: system.tables }
  expect(isRoomFor(shape)).toBe(true)
  for (const large of [{ spotDegree: 29 }, { sigmaDegree: 21 }, { spotPatches: 12 }, { sigmaPatches: 7 }]) {
    expect(isRoomFor({ ...shape, ...large })).toBe(false)
  }
  expect(isRoomFor({ ...shape, boundary: { points: 8, inner: 8, outer: 33 } })).toBe(false)
})

test('every grid is the same, whichever was made before it', () => {
  for (let at = 0; at < 120; at++) {
    const terms = someTerms()
    const shape = oneOf(shapes)
    const low = between(0.03, 0.3)
    const high = low * between(1.2, 20)
    const [plain, quick] = [true, false].map((isPlain) => {
      usePlainKernels(isPlain)
      return premiumGrid(terms, low, high, shape)
    })
    expect(quick, JSON.stringify({ terms, low, high, shape })).toEqual(plain)
  }
})

/** The columns of the first `count` contracts of a block, as a function left them. */
const taken = (count: number, columns: Readonly<Record<string, Float64Array | Uint8Array>>) =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, [...column.subarray(0, count)]]))

test('contracts read the same premiums and the same slopes from a grid', () => {
  const places = { place, value, sigmaSlope }
  const all = { ...places, spotSlope, spotCurve, spotThird, crossSlope }
  const seen = new Set<number>()
  for (let at = 0; at < 200; at++) {
    const terms = { ...someTerms(), rate: between(0.001, 0.1) }
    const low = between(0.03, 0.3)
    const grid = premiumGrid(terms, low, low * between(1.2, 20), oneOf(shapes))
    const count = Math.ceil(between(0, 256))
    for (let q = 0; q < 256; q++) {
      volatility[q] = oneOf([
        between(low, grid.high),
        between(low, grid.high),
        low,
        grid.high,
        between(0, 3),
        Number.NaN
      ])
      logSpot[q] = oneOf([
        between(-0.3, 0.3),
        between(-1, 1),
        between(-4, 4),
        0,
        3,
        Number.NaN,
        Number.POSITIVE_INFINITY
      ])
    }
    readPlainValues(grid, count)
    const values = taken(count, places)
    readPlainPremiums(grid, count)
    const premiums = taken(count, all)
    for (const column of Object.values(all)) column.fill(77)
    readQuickValues(grid, count)
    expect(taken(count, places)).toEqual(values)
    for (const column of Object.values(all)) column.fill(77)
    readQuickPremiums(grid, count)
    expect(taken(count, all)).toEqual(premiums)
    for (const one of place.subarray(0, count)) seen.add(one)
  }
  expect([...seen].sort()).toEqual([EXERCISED, HELD, GONE, OFF_GRID])
})

test('contracts have the same European values and vegas', () => {
  const strike = Float64Array.from({ length: 256 }, () => between(0.01, 1000))
  const price = strike.map((one) => one * between(0, 1))
  for (let at = 0; at < 400; at++) {
    const terms = {
      sign: oneOf([1, -1]),
      rootT: Math.sqrt(oneOf([between(0.001, 3), 1e-6])),
      spotPart: between(0.1, 1000),
      discount: between(0.5, 1.1)
    }
    const count = Math.ceil(between(0, 256))
    const most = oneOf([1, 0.5])
    for (let q = 0; q < 256; q++) {
      slot[q] = (q * 7 + at) % 256
      moneyness[q] = oneOf([between(-1, 1), between(-8, 8), 0])
      volatility[q] = oneOf([between(0.03, 2), 1e-4, between(0, 0.1)])
      const isStart = between(0, 1) < most
      upper[q] = isStart ? volatility[q] * (1 + 1e-9) : oneOf([volatility[q] * 1.1, Number.POSITIVE_INFINITY])
    }
    for (const isFirst of [true, false]) {
      fillPlainEuropeans(terms, strike, price, count, isFirst)
      const plain = taken(count, { excess, vega })
      excess.fill(77)
      vega.fill(77)
      fillQuickEuropeans(terms, strike, price, count, isFirst)
      expect(taken(count, { excess, vega })).toEqual(plain)
    }
  }
})

test('the plain functions do without WebAssembly, and the others use it', () => {
  const { samples, quotient } = gridKernels().columns
  const isUsed = (isPlain: boolean) => {
    usePlainKernels(isPlain)
    for (const column of [samples, quotient]) column.fill(-777)
    premiumGrid({ t: 1, rate: 0.04, dividendYield: 0.01 }, 0.1, 0.5, gridShapes.LONG_DATED)
    return [samples, quotient].map((column) => column.some((value) => value !== -777))
  }
  expect([isUsed(true), isUsed(false)]).toEqual([
    [false, false],
    [true, true]
  ])
})

test('the normal distribution has a value at the last number below the end of its table', () => {
  expect([8.5 - 2 ** -49, 8.5, -8.5 + 2 ** -49, Number.NaN].map(cumulativeNormal)).toEqual([
    1,
    1,
    expect.closeTo(0, 16),
    Number.NaN
  ])
})
