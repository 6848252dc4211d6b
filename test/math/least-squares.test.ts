import fc from 'fast-check'
import { expect, test } from 'vitest'
import { leastSquares } from '../../src/math/least-squares.ts'

// Longley (1967), Journal of the American Statistical Association 62, with the certified weights of the NIST
// Statistical Reference Datasets: the classic of columns that nearly repeat each other.
const longley = [
  [60323, 83, 234289, 2356, 1590, 107608, 1947],
  [61122, 88.5, 259426, 2325, 1456, 108632, 1948],
  [60171, 88.2, 258054, 3682, 1616, 109773, 1949],
  [61187, 89.5, 284599, 3351, 1650, 110929, 1950],
  [63221, 96.2, 328975, 2099, 3099, 112075, 1951],
  [63639, 98.1, 346999, 1932, 3594, 113270, 1952],
  [64989, 99, 365385, 1870, 3547, 115094, 1953],
  [63761, 100, 363112, 3578, 3350, 116219, 1954],
  [66019, 101.2, 397469, 2904, 3048, 117388, 1955],
  [67857, 104.6, 419180, 2822, 2857, 118734, 1956],
  [68169, 108.4, 442769, 2936, 2798, 120445, 1957],
  [66513, 110.8, 444546, 4681, 2637, 121950, 1958],
  [68655, 112.6, 482704, 3813, 2552, 123366, 1959],
  [69564, 114.2, 502601, 3931, 2514, 125368, 1960],
  [69331, 115.7, 518173, 4806, 2572, 127852, 1961],
  [70551, 116.9, 554894, 4007, 2827, 130081, 1962]
]
const certified = [
  -3482258.63459582, 15.0618722713733, -0.035819179292591, -2.02022980381683, -1.03322686717359, -0.0511041056535807,
  1829.15146461355
]

test('gives the certified weights of the Longley data', () => {
  const columns = certified.map((_, c) => longley.map((row) => (c === 0 ? 1 : row[c])))
  const weights = leastSquares(
    columns,
    longley.map(([y]) => y)
  )!
  certified.forEach((value, c) => {
    expect(weights[c] / value).toBeCloseTo(1, 8)
  })
})

test('finds the weights a target was made with', () => {
  const number = fc.double({ min: -10, max: 10, noNaN: true })
  const row = fc.tuple(number, number)
  fc.assert(
    fc.property(fc.array(row, { minLength: 5, maxLength: 40 }), number, number, number, (rows, a, b, c) => {
      const target = rows.map(([x, y]) => a + b * x + c * y)
      const columns = [rows.map(() => 1), rows.map(([x]) => x), rows.map(([, y]) => y)]
      const weights = leastSquares(columns, target)
      if (weights === undefined) return
      rows.forEach(([x, y], i) => {
        expect(weights[0] + weights[1] * x + weights[2] * y).toBeCloseTo(target[i], 5)
      })
    })
  )
})

test('leaves a rest that stands upright on every column', () => {
  const columns = [
    [1, 1, 1, 1, 1],
    [1, 2, 3, 4, 5],
    [1, 0, 2, -1, 4]
  ]
  const target = [3, 1, 4, 1, 5]
  const weights = leastSquares(columns, target)!
  const rest = target.map((y, i) => y - columns.reduce((sum, column, c) => sum + weights[c] * column[i], 0))
  for (const column of columns) expect(column.reduce((sum, x, i) => sum + x * rest[i], 0)).toBeCloseTo(0, 12)
})

test('does not touch what it is given', () => {
  const columns = [Float64Array.of(1, 1, 1), Float64Array.of(1, 2, 3)]
  const target = Float64Array.of(1, 2, 4)
  leastSquares(columns, target)
  expect([columns, target]).toEqual([[Float64Array.of(1, 1, 1), Float64Array.of(1, 2, 3)], Float64Array.of(1, 2, 4)])
})

test('has no answer where the columns leave it open', () => {
  expect(
    leastSquares(
      [
        [1, 1, 1],
        [2, 2, 2]
      ],
      [1, 2, 3]
    )
  ).toBeUndefined()
  expect(leastSquares([[0, 0, 0]], [1, 2, 3])).toBeUndefined()
  expect(
    leastSquares(
      [
        [1, 2],
        [3, 4],
        [5, 7]
      ],
      [1, 2]
    )
  ).toBeUndefined()
  expect(leastSquares([[1, Number.NaN, 2]], [1, 2, 3])).toBeUndefined()
})
