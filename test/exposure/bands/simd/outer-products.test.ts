import { expect, test } from 'vitest'
import { addOuterProducts } from '../../../../src/exposure/bands/simd/outer-products.ts'
import { randomStream } from '../../../pricing/american/support.ts'

const random = randomStream(5)

/** Rows of numbers around a place of their own, with zeros on both sides. */
function someRows(count: number, size: number): Float64Array {
  const rows = new Float64Array(count * size)
  for (let k = 0; k < count; k++) {
    const from = Math.floor(random() * size)
    const to = from + Math.floor(random() * (size - from + 1))
    for (let x = from; x < to; x++) rows[k * size + x] = (random() - 0.5) * 10 ** (4 * random())
  }
  return rows
}

test.each([
  [121, 1000],
  [121, 1003],
  [128, 17],
  [7, 5],
  [1, 9],
  [40, 0]
])('a matrix of %i rows gets the sums of %i products, one after another, to the last bit', (size, count) => {
  const rows = someRows(count, size)
  const weights = Array.from({ length: count }, () => (random() < 0.2 ? 0 : random()))
  const before = Float64Array.from({ length: size * size }, () => random())
  const expected = before.slice()
  for (let k = 0; k < count; k++) {
    const row = rows.subarray(k * size, (k + 1) * size)
    for (let x = 0; x < size; x++) {
      for (let y = 0; y <= x; y++) expected[x * size + y] += weights[k] * row[x] * row[y]
    }
  }
  const matrix = before.slice()
  addOuterProducts(matrix, rows, (k) => weights[k])
  expect(matrix).toEqual(expected)
})

test('entries below a billionth of the largest at the ends of a row count as 0, those between do not', () => {
  const matrix = new Float64Array(16)
  addOuterProducts(matrix, Float64Array.of(1e-10, 1, 1e-10, 2), () => 1)
  expect([...matrix]).toEqual([0, 0, 0, 0, 0, 1, 0, 0, 0, 1e-10, 1e-10 ** 2, 0, 0, 2, 2e-10, 4])
})

test('a matrix that the kernel has no memory for is refused', () => {
  expect(() => addOuterProducts(new Float64Array(129 * 129), new Float64Array(0), () => 1)).toThrow('129 rows')
})
