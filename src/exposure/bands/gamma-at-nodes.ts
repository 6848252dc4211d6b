import { atSpot, movedGreeks } from '../../pricing/moved-chain.ts'
import { unitBook } from '../book.ts'
import { gammaExposure } from '../contract-exposure.ts'
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
    addProduct(positions, row, (factor * contracts.own[k]) ** 2)
  })
  for (const change of contracts.shared) addShared(positions, each, change, size, factor ** 2)
  const unsure = 4 * confidence * (1 - confidence)
  const combined = positions.slice()
  for (let g = 0; g < contracts.groups; g++) {
    const row = groups.subarray(g * size, (g + 1) * size)
    for (let x = 0; x < size; x++) mean[x] += row[x]
    addProduct(combined, row, unsure)
  }
  const sure = 2 * confidence - 1
  return {
    positions: { mean, covariance: positions },
    combined: { mean: mean.map((value) => sure * value), covariance: combined }
  }
}

/** Adds the products of the summed rows of every shared change. `each` holds a row of nodes for each contract. */
function addShared(matrix: Float64Array, each: Float64Array, change: SharedChange, size: number, weight: number): void {
  const sums = new Float64Array(change.count * size)
  change.of.forEach((number, k) => {
    for (let x = 0; x < size; x++) sums[number * size + x] += change.size[k] * each[k * size + x]
  })
  for (let n = 0; n < change.count; n++) addProduct(matrix, sums.subarray(n * size, (n + 1) * size), weight)
}

function gammaEach(
  { chain, expirations }: Scope,
  { slots }: UncertainContracts,
  nodes: readonly number[]
): Float64Array {
  const each = new Float64Array(slots.length * nodes.length)
  const columns = movedGreeks(chain.size)
  nodes.forEach((spot, x) => {
    const held = { chain: atSpot(chain, spot, expirations, columns), book: unitBook(chain) }
    slots.forEach((i, k) => {
      each[k * nodes.length + x] = gammaExposure(held, i)
    })
  })
  return each
}

/**
 * Adds `weight` times the outer product of `row` with itself to the lower triangle of a matrix. Skips near-zero entries
 * at both ends of the row.
 */
function addProduct(matrix: Float64Array, row: Float64Array, weight: number): void {
  if (weight === 0) return
  const size = row.length
  let largest = 0
  for (let x = 0; x < size; x++) largest = Math.max(largest, Math.abs(row[x]))
  const least = FAINT * largest
  let from = 0
  while (from < size && Math.abs(row[from]) <= least) from++
  let to = size
  while (to > from && Math.abs(row[to - 1]) <= least) to--
  for (let x = from; x < to; x++) {
    const factor = weight * row[x]
    for (let y = from; y <= x; y++) matrix[x * size + y] += factor * row[y]
  }
}

/** A gamma below this share of the largest gamma is skipped, because it has no effect on a draw. */
const FAINT = 1e-9
