import { totalVolatility } from './total-volatility.ts'

// A first guess of the total volatility s of an out-of-the-money option, right to 7e-5 of s.
//
// With x = |ln(F/K)| and the value b in units of D √(F K), s is nearly proportional to v = x + √(2π) b, and s / v is
// smooth in two coordinates: v itself, in which it is even, and y = √(ln(1 + 0.35 x / b) + 0.3), which says how far out
// of the money the option is. A table of 64 by 40 nodes is read by bicubic interpolation.

const SQRT_2PI = 2.5066282746310002
const MONEYNESS = 0.35
const OFFSET = 0.3
/** Nodes in y and in v; one lies outside the region on its low side and one on its high side. */
const COLUMNS = 64
const ROWS = 40
const MIN_Y = Math.sqrt(OFFSET)
const MAX_Y = Math.sqrt(32 + OFFSET)
const MAX_V = 2.6
const STEP_Y = (MAX_Y - MIN_Y) / (COLUMNS - 3)
const STEP_V = MAX_V / (ROWS - 3)

let table: Float64Array | undefined

/** The table row by row, and where a point lies in it: at (y - leastY) nodesPerY and v nodesPerV. */
export function guessTable() {
  table ??= fillTable()
  return { nodes: table, leastY: MIN_Y, nodesPerY: 1 / STEP_Y, nodesPerV: 1 / STEP_V }
}

/**
 * Fills `total` with guesses of s for the first `count` entries of `distance` and `value`.
 *
 * Outside the table (value below 1e-14 of the distance, or s above about 2.5) the guess is no good and may be anything;
 * the caller checks its step. NaN in `value` gives NaN.
 */
export function guessTotalVolatilities(
  distance: Float64Array,
  value: Float64Array,
  total: Float64Array,
  count: number
): void {
  const { nodes } = guessTable()
  for (let q = 0; q < count; q++) {
    const v = distance[q] + SQRT_2PI * value[q]
    const y = Math.sqrt(Math.log(1 + (MONEYNESS * distance[q]) / value[q]) + OFFSET)
    const column = (y - MIN_Y) * (1 / STEP_Y)
    const row = v * (1 / STEP_V)
    const i = Math.min(column | 0, COLUMNS - 4)
    const j = Math.min(row | 0, ROWS - 4)
    // Lagrange weights of the four nodes around the point, at -1, 0, 1 and 2.
    const a = column - i
    const aOut = a + 1
    const aIn = a - 1
    const aFar = a - 2
    const w0 = a * aIn * aFar * (-1 / 6)
    const w1 = aOut * aIn * aFar * 0.5
    const w2 = aOut * a * aFar * -0.5
    const w3 = aOut * a * aIn * (1 / 6)
    const b = row - j
    const bOut = b + 1
    const bIn = b - 1
    const bFar = b - 2
    const k = j * COLUMNS + i
    const k1 = k + COLUMNS
    const k2 = k1 + COLUMNS
    const k3 = k2 + COLUMNS
    const r0 = w0 * nodes[k] + w1 * nodes[k + 1] + w2 * nodes[k + 2] + w3 * nodes[k + 3]
    const r1 = w0 * nodes[k1] + w1 * nodes[k1 + 1] + w2 * nodes[k1 + 2] + w3 * nodes[k1 + 3]
    const r2 = w0 * nodes[k2] + w1 * nodes[k2 + 1] + w2 * nodes[k2 + 2] + w3 * nodes[k2 + 3]
    const r3 = w0 * nodes[k3] + w1 * nodes[k3 + 1] + w2 * nodes[k3 + 2] + w3 * nodes[k3 + 3]
    const outer = b * bIn * bFar * (-1 / 6) * r0 + bOut * b * bIn * (1 / 6) * r3
    total[q] = v * (outer + bOut * bIn * bFar * 0.5 * r1 + bOut * b * bFar * -0.5 * r2)
  }
}

/** Computes every node with the careful solver: a few milliseconds, once. */
function fillTable(): Float64Array {
  const nodes = new Float64Array(ROWS * COLUMNS)
  for (let j = 0; j < ROWS; j++) {
    for (let i = 1; i < COLUMNS; i++) nodes[j * COLUMNS + i] = node(MIN_Y + (i - 1) * STEP_Y, (j - 1) * STEP_V)
  }
  for (let j = 3; j < ROWS; j++) {
    for (let i = 1; i < COLUMNS; i++) extrapolateMissing(nodes, j * COLUMNS + i, -COLUMNS)
  }
  for (let j = 0; j < ROWS; j++) extrapolateMissing(nodes, j * COLUMNS, 1)
  return nodes
}

/** s / v at a node, NaN where the coordinates belong to no price. */
function node(y: number, v: number): number {
  const width = Math.max(Math.abs(v), 1e-6)
  const distanceOverValue = (Math.exp(y * y - OFFSET) - 1) / MONEYNESS
  const value = width / (distanceOverValue + SQRT_2PI)
  const distance = distanceOverValue * value
  const remainder = Math.exp(-0.5 * distance) - value
  return remainder > 0.02 ? totalVolatility(distance, Math.log(value), Math.log(remainder)) / width : Number.NaN
}

/** Gives a missing node the value of the parabola through three neighbours on one side. */
function extrapolateMissing(nodes: Float64Array, k: number, towards: number): void {
  if (nodes[k] > 0) return
  nodes[k] = 3 * nodes[k + towards] - 3 * nodes[k + 2 * towards] + nodes[k + 3 * towards]
}
