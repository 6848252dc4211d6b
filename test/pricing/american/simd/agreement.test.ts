import { afterEach, expect, test } from 'vitest'
import { boundarySystem, guessBoundary, plainEquations } from '../../../../src/pricing/american/boundary.ts'
import type { BoundaryShape } from '../../../../src/pricing/american/boundary-tables.ts'
import type { ExerciseTerms } from '../../../../src/pricing/american/exercise.ts'
import { type GridShape, gridShapes } from '../../../../src/pricing/american/grid-shape.ts'
import { cumulativeNormal } from '../../../../src/pricing/american/normal-table.ts'
import { premiumGrid } from '../../../../src/pricing/american/premium-grid.ts'
import { gridKernels } from '../../../../src/pricing/american/simd/grid-kernels.ts'
import { quickEquations } from '../../../../src/pricing/american/simd/quick-equations.ts'
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
