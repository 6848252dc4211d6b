import { expect, test } from 'vitest'
import { addRow, emptyBandEquations, rowTimes, solve } from '../../../src/volatility/market-smile/band-equations.ts'
import { randomStream } from '../generated.ts'

/** Gaussian elimination with pivots, on the whole matrix. */
function solveDense(matrix: number[][], right: number[]): number[] {
  const size = right.length
  for (let i = 0; i < size; i++) {
    let pivot = i
    for (let r = i; r < size; r++) if (Math.abs(matrix[r][i]) > Math.abs(matrix[pivot][i])) pivot = r
    ;[matrix[i], matrix[pivot]] = [matrix[pivot], matrix[i]]
    ;[right[i], right[pivot]] = [right[pivot], right[i]]
    for (let r = i + 1; r < size; r++) {
      const factor = matrix[r][i] / matrix[i][i]
      for (let c = i; c < size; c++) matrix[r][c] -= factor * matrix[i][c]
      right[r] -= factor * right[i]
    }
  }
  const out = new Array<number>(size).fill(0)
  for (let i = size - 1; i >= 0; i--) {
    let sum = right[i]
    for (let c = i + 1; c < size; c++) sum -= matrix[i][c] * out[c]
    out[i] = sum / matrix[i][i]
  }
  return out
}

test('rows of four neighbours solve as they do in a dense matrix', () => {
  const random = randomStream(5)
  for (const size of [4, 9, 40]) {
    const equations = emptyBandEquations(size)
    const matrix = Array.from({ length: size }, () => new Array<number>(size).fill(0))
    const right = new Array<number>(size).fill(0)
    for (let n = 0; n < 5 * size; n++) {
      const at = Math.floor(random() * (size - 3))
      const row = Float64Array.from({ length: 6 }, () => random() - 0.5)
      const [weight, target] = [random(), random() - 0.5]
      addRow(equations, at, row, 2, weight, target)
      for (let a = 0; a < 4; a++) {
        right[at + a] += weight * row[2 + a] * target
        for (let b = 0; b < 4; b++) matrix[at + a][at + b] += weight * row[2 + a] * row[2 + b]
      }
    }
    const out = new Float64Array(size)
    expect(solve(equations, size, out)).toBe(true)
    const dense = solveDense(matrix, right)
    out.forEach((value, i) => {
      expect(value).toBeCloseTo(dense[i], 8)
    })
  }
})

test('an unknown that no row touches is said to be open', () => {
  const equations = emptyBandEquations(5)
  addRow(equations, 0, Float64Array.of(1, 0, 0, 0), 0, 1, 1)
  expect(solve(equations, 5, new Float64Array(5))).toBe(false)
})

test('a row is multiplied with the unknowns it touches', () => {
  expect(rowTimes(Float64Array.of(0, 1, 2, 3, 4), 1, Float64Array.of(9, 1, 10, 100, 1000), 1)).toBe(4321)
})
