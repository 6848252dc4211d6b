import { totalVolatility } from './total-volatility.ts'

// First guesses of the total volatility s of out-of-the-money options, with an error below 7e-5 of s. The kernel of
// simd/options.as.ts reads them by bicubic interpolation.
// With x = |ln(F/K)| and the value b in units of D √(F K), s is nearly proportional to v = x + √(2π) b, and s / v is
// smooth in two coordinates: v itself, in which it is even, and y = √(ln(1 + 0.35 x / b) + 0.3), which grows as the
// option lies further out of the money. Outside the table (value below 1e-14 of the distance, or s above about 2.5) a
// guess is useless; the kernel detects that by the length of its step.

const SQRT_2PI = 2.5066282746310002
const MONEYNESS = 0.35
const OFFSET = 0.3
const COLUMNS = 64
const ROWS = 40
const MIN_Y = Math.sqrt(OFFSET)
const MAX_Y = Math.sqrt(32 + OFFSET)
const MAX_V = 2.6
const STEP_Y = (MAX_Y - MIN_Y) / (COLUMNS - 3)
const STEP_V = MAX_V / (ROWS - 3)

let table: Float64Array | undefined

/**
 * Returns the table of guesses, row by row, and the grid on which it lies. The point (y, v) is at column (y - leastY)
 * nodesPerY and row v nodesPerV.
 */
export function guessTable() {
  table ??= fillTable()
  return { nodes: table, leastY: MIN_Y, nodesPerY: 1 / STEP_Y, nodesPerV: 1 / STEP_V }
}

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

function node(y: number, v: number): number {
  const width = Math.max(Math.abs(v), 1e-6)
  const distanceOverValue = (Math.exp(y * y - OFFSET) - 1) / MONEYNESS
  const value = width / (distanceOverValue + SQRT_2PI)
  const distance = distanceOverValue * value
  const remainder = Math.exp(-0.5 * distance) - value
  return remainder > 0.02 ? totalVolatility(distance, Math.log(value), Math.log(remainder)) / width : Number.NaN
}

function extrapolateMissing(nodes: Float64Array, k: number, towards: number): void {
  if (nodes[k] > 0) return
  nodes[k] = 3 * nodes[k + towards] - 3 * nodes[k + 2 * towards] + nodes[k + 3 * towards]
}
