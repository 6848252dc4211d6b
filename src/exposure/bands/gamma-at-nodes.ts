import { gammasAtSpots } from '../../pricing/moved-chain.ts'
import { unitBook } from '../book.ts'
import { gammaDollars } from '../contract-exposure.ts'
import type { Scope } from '../scope.ts'
import { type SharedChange, type UncertainContracts, uncertainContracts } from './uncertain-contracts.ts'

const steps = (from: number, count: number, step: number) =>
  Array.from({ length: count }, (_, j) => from + step * (j + 1))
/**
 * How far the nodes above spot are from spot, as fractions of spot. They are dense near spot. The nodes below are their
 * mirror image.
 */
const outward = [...steps(0, 40, 0.0025), ...steps(0.1, 20, 0.01)]

/** Prices of the underlying at which gamma is evaluated, ascending. The chain's spot is in the middle. */
export const nodesAround = (spot: number): readonly number[] => [
  ...outward.map((share) => spot * (1 - share)).reverse(),
  spot,
  ...outward.map((share) => spot * (1 + share))
]

/**
 * Joint normal distribution of net gamma at all nodes, USD per 1 % move. The covariance matrix is stored row by row.
 */
export interface JointGamma {
  readonly mean: Float64Array
  readonly covariance: Float64Array
}

/**
 * Distribution of net gamma at the nodes around spot: if only the dealers' positions are uncertain (`positions`), and
 * if it is also uncertain on which side dealers are (`combined`). With confidence p
 *
 *     cov(x, y) = Σ over groups 4p (1 - p) m(x) m(y) + Σ over contracts (k V)² g(x) g(y)
 *                 + Σ over shared changes (Σ s V g(x)) (Σ s V g(y))
 *
 * in the notation of `netBands` and `uncertainContracts`. `factor` is that of a calibration: k and s grow by it.
 */
export function jointGammas(
  scope: Scope,
  confidence: number,
  factor = 1
): Readonly<Record<'positions' | 'combined', JointGamma>> {
  const contracts = uncertainContracts(scope)
  const nodes = nodesAround(scope.chain.spot)
  const size = nodes.length
  const each = gammaEach(scope, contracts, nodes)
  const groups = new Float64Array(contracts.groups * size)
  const mean = new Float64Array(size)
  const positions = new Float64Array(size * size)
  contracts.slots.forEach((_, k) => {
    const row = each.subarray(k * size, (k + 1) * size)
    const group = groups.subarray(contracts.group[k] * size, (contracts.group[k] + 1) * size)
    for (let x = 0; x < size; x++) group[x] += contracts.mean[k] * row[x]
  })
  addProducts(positions, each, (k) => (factor * contracts.own[k]) ** 2)
  for (const change of contracts.shared) addProducts(positions, sharedRows(each, change, size), () => factor ** 2)
  const unsure = 4 * confidence * (1 - confidence)
  const combined = positions.slice()
  addProducts(combined, groups, () => unsure)
  for (let g = 0; g < contracts.groups; g++) for (let x = 0; x < size; x++) mean[x] += groups[g * size + x]
  const sure = 2 * confidence - 1
  return {
    positions: { mean, covariance: positions },
    combined: { mean: mean.map((value) => sure * value), covariance: combined }
  }
}

/** The summed rows of every number of a shared change. `each` holds a row of nodes for each contract. */
function sharedRows(each: Float64Array, change: SharedChange, size: number): Float64Array {
  const sums = new Float64Array(change.count * size)
  change.of.forEach((number, k) => {
    for (let x = 0; x < size; x++) sums[number * size + x] += change.size[k] * each[k * size + x]
  })
  return sums
}

/** Gamma exposure of one open contract at each node, a row of nodes for each of `slots`. */
function gammaEach({ chain }: Scope, { slots }: UncertainContracts, nodes: readonly number[]): Float64Array {
  const { position } = unitBook(chain)
  return gammasAtSpots(chain, slots, nodes, (gamma, k, underlying) =>
    gammaDollars(gamma, position[slots[k]], underlying)
  )
}

/**
 * Number of rows whose products are added in one pass over the matrix. A pass for each row would take twice the time.
 * Every entry gets the same sums in the same order.
 */
const ROWS_AT_ONCE = 4

/**
 * Adds the outer product of each row with itself, times its weight, to the lower triangle of a square matrix. Near-zero
 * entries at both ends of a row count as 0.
 */
function addProducts(matrix: Float64Array, rows: Float64Array, weightOf: (k: number) => number): void {
  const size = Math.sqrt(matrix.length)
  const batch = new Float64Array(ROWS_AT_ONCE * size)
  const weights = new Float64Array(ROWS_AT_ONCE)
  let held = 0
  const flush = () => {
    addBatch(matrix, batch, weights, size)
    batch.fill(0)
    weights.fill(0)
    held = 0
  }
  for (let k = 0; k * size < rows.length; k++) {
    const weight = weightOf(k)
    if (weight === 0) continue
    const [from, to] = span(rows, k * size, size)
    for (let x = from; x < to; x++) batch[held * size + x] = rows[k * size + x]
    weights[held++] = weight
    if (held === ROWS_AT_ONCE) flush()
  }
  if (held > 0) flush()
}

/** The entries of the row that begins at `start` that are not near zero: from the first up to but excluding the second. */
function span(rows: Float64Array, start: number, size: number): readonly [from: number, to: number] {
  let largest = 0
  for (let x = 0; x < size; x++) largest = Math.max(largest, Math.abs(rows[start + x]))
  const least = FAINT * largest
  let from = 0
  while (from < size && Math.abs(rows[start + from]) <= least) from++
  let to = size
  while (to > from && Math.abs(rows[start + to - 1]) <= least) to--
  return [from, to]
}

function addBatch(matrix: Float64Array, batch: Float64Array, weights: Float64Array, size: number): void {
  const row = (n: number) => batch.subarray(n * size, (n + 1) * size)
  const [b0, b1, b2, b3] = [row(0), row(1), row(2), row(3)]
  const [w0, w1, w2, w3] = [weights[0], weights[1], weights[2], weights[3]]
  /** First entry that any of the rows has. */
  let first = size
  for (let x = 0; x < size; x++) {
    const f0 = w0 * b0[x]
    const f1 = w1 * b1[x]
    const f2 = w2 * b2[x]
    const f3 = w3 * b3[x]
    if (f0 === 0 && f1 === 0 && f2 === 0 && f3 === 0) continue
    if (first === size) first = x
    addRow(matrix, x * size, first, x, b0, f0, b1, f1, b2, f2, b3, f3)
  }
}

/**
 * Adds four multiples of rows to entries `first` to `last` of the matrix row that begins at `at`. A short function that
 * is called often is compiled as a whole, as in `gamma-by-spot.ts`.
 */
function addRow(
  matrix: Float64Array,
  at: number,
  first: number,
  last: number,
  b0: Float64Array,
  f0: number,
  b1: Float64Array,
  f1: number,
  b2: Float64Array,
  f2: number,
  b3: Float64Array,
  f3: number
): void {
  for (let y = first; y <= last; y++) {
    matrix[at + y] = matrix[at + y] + f0 * b0[y] + f1 * b1[y] + f2 * b2[y] + f3 * b3[y]
  }
}

/** A gamma below this share of the largest gamma is skipped, because it has no effect on a draw. */
const FAINT = 1e-9
