import type { SmilePoints } from '../smile-points.ts'
import { type Lowest, lowestDurrleman } from './lowest.ts'
import { refine } from './refine.ts'
import type { Barrier, FitPoints } from './residuals.ts'
import { startFor } from './start.ts'
import { type Svi, totalVariance } from './svi.ts'
import { emptyWorkspace, type Workspace } from './workspace.ts'

/** A fitted slice, and what the best fit had to be held to. */
export interface SviFit {
  readonly svi: Svi
  /** The best fit allowed butterfly arbitrage between the outermost points and was fitted anew without it. */
  readonly constrained: boolean
  /** The best fit missed the volatility quoted at the forward by more than `centreTolerance` and was held to it. */
  readonly anchored: boolean
}

/** Half a spread counts as at least this many vol points as a fraction: nobody knows a volatility better. */
const MIN_SPREAD = 0.0025
/** What a point at the forward counts for, as a share of all points together, in ever firmer fits. */
const anchors = [0, 0.1, 0.3, 1, 3, 10]

/** One for each thread, whose fits follow one another. Only `fitSvi` knows of it, and nothing of it leaves a fit. */
const workspace = emptyWorkspace()

/** How far the fit may lie from the volatility quoted at the forward, both fractions. Source: the wire contract, A6. */
export function centreTolerance(quoted: number): number {
  return Math.max(0.005, 0.03 * quoted)
}

/**
 * The slice that fits a smile best, `quoted` being the volatility its points show at the forward:
 *
 *     least Σ u (iv_fit - iv)²,  u = 1 / max(half spread, 0.0025)²,
 *     with g >= 0 and m between the outermost points, and iv_fit(0) within `centreTolerance` of `quoted`
 *
 * Deterministic. Variable projection over (m, σ) from several seeds finds the valley, in total variance with weights
 * that make its error that of volatility to first order; the objective itself is then refined in all five parameters.
 * Undefined where no such fit was found. Source: docs/methods/svi.md.
 */
export function fitSvi(points: SmilePoints, t: number, quoted: number): SviFit | undefined {
  const { size, k, iv, scale } = points
  if (size < 5 || scale === undefined) return undefined
  const [from, to] = [k[0], k[size - 1]]
  const rootWeight = rootWeightsOf(points)
  let fitted: FitPoints = { size, k, iv, rootWeight, t, from, to }
  let start = startFor(fitted, scale, workspace.searched)
  for (const anchor of anchors) {
    if (anchor > 0) fitted = anchoredTo(quoted, anchor, points, fitted)
    const free = refine(fitted, start, workspace).svi
    const lowest = lowestDurrleman(free, from, to)
    const constrained = lowest.g < CLEARANCE
    const svi = constrained ? constrainedFit(fitted, free, lowest, workspace) : free
    if (svi === undefined) return undefined
    if (Math.abs(Math.sqrt(totalVariance(svi, 0) / t) - quoted) <= centreTolerance(quoted)) {
      return { svi, constrained, anchored: anchor > 0 }
    }
    start = svi
  }
  return undefined
}

/** What the error of each point is multiplied by. A loop, since `map` on a typed array takes three times as long. */
function rootWeightsOf({ size, halfSpread }: SmilePoints): Float64Array {
  const rootWeight = new Float64Array(size)
  for (let i = 0; i < size; i++) rootWeight[i] = 1 / Math.max(halfSpread[i], MIN_SPREAD)
  return rootWeight
}

/** The points of a smile and one more at the forward. */
function anchoredTo(quoted: number, share: number, points: SmilePoints, fitted: FitPoints): FitPoints {
  const rootWeight = Float64Array.from({ length: points.size + 1 }, (_, i) => fitted.rootWeight[i])
  rootWeight[points.size] = Math.sqrt(share * sumOfSquares(rootWeight, points.size))
  const extended = (column: Float64Array, last: number) => {
    const longer = new Float64Array(points.size + 1)
    longer.set(column)
    longer[points.size] = last
    return longer
  }
  return { ...fitted, size: points.size + 1, k: extended(points.k, 0), iv: extended(points.iv, quoted), rootWeight }
}

function sumOfSquares(column: Float64Array, count: number): number {
  let sum = 0
  for (let i = 0; i < count; i++) sum += column[i] * column[i]
  return sum
}

/** What g keeps from zero, which is more than its least value is found to. */
const CLEARANCE = 1e-6
const EVEN_NODES = 25
const ROUNDS = 12

/**
 * The best slice whose g is not negative anywhere between the outermost points: the objective with the wire contract's
 * penalty, U times the squares of what g falls short at 25 even nodes, U being the sum of all weights. It asks for a
 * little more than zero, adds a node where a round still found g below zero, and weighs more each round. Steps begin
 * with the new node counted as broken, beside those that the last round ended with.
 */
function constrainedFit(points: FitPoints, start: Svi, lowest: Lowest, workspace: Workspace): Svi | undefined {
  const { from, to } = points
  const nodes = new Float64Array(EVEN_NODES + ROUNDS)
  for (let n = 0; n < EVEN_NODES; n++) nodes[n] = from + ((to - from) * n) / (EVEN_NODES - 1)
  const total = sumOfSquares(points.rootWeight, points.size)
  const counted = new Uint8Array(nodes.length)
  const barrier: Barrier = { nodes, counted, count: EVEN_NODES, margin: 2e-3, rootWeight: Math.sqrt(total) }
  let svi = start
  let worst = lowest
  for (let round = 0; round < ROUNDS; round++) {
    counted[barrier.count] = 1
    nodes[barrier.count++] = worst.k
    svi = refine(points, svi, workspace, barrier).svi
    worst = lowestDurrleman(svi, from, to)
    if (worst.g >= CLEARANCE) return svi
    barrier.rootWeight *= 6
    barrier.margin = Math.min(0.02, barrier.margin * 1.5)
  }
  return undefined
}
