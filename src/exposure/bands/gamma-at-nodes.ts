import { gammasAtSpots } from '../../pricing/moved-chain.ts'
import { unitBook } from '../book.ts'
import { gammaDollars } from '../contract-exposure.ts'
import type { Scope } from '../scope.ts'
import { addOuterProducts } from './simd/outer-products.ts'
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
  addOuterProducts(positions, each, (k) => (factor * contracts.own[k]) ** 2)
  for (const change of contracts.shared) addOuterProducts(positions, sharedRows(each, change, size), () => factor ** 2)
  const unsure = 4 * confidence * (1 - confidence)
  const combined = positions.slice()
  addOuterProducts(combined, groups, () => unsure)
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
