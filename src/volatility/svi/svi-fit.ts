import type { SmilePoints } from '../smile/smile-points.ts'
import { type Lowest, lowestDurrleman } from './lowest-durrleman.ts'
import { refine } from './refine.ts'
import type { Barrier, FitPoints } from './residuals.ts'
import { ASKED_FOR, startFor } from './start.ts'
import { type Svi, sviBounds, totalVariance } from './svi.ts'
import { emptyWorkspace, type Workspace } from './workspace.ts'

export interface SviFit {
  readonly svi: Svi
  /**
   * Whether the fit had to be repeated with a constraint, because the first one allowed butterfly arbitrage between the
   * outermost points.
   */
  readonly constrained: boolean
  /**
   * Whether the fit was pulled to the volatility quoted at the forward, because the best fit missed it by more than
   * `centreTolerance`.
   */
  readonly anchored: boolean
}

/** Minimum half spread, in volatility: no quote is taken to be more exact than this. */
const MIN_SPREAD = 0.0025
/**
 * Largest σ, as a multiple of the distance in k between the outermost quotes. With a larger σ, a slice is a parabola
 * across the quotes, and its wings are arbitrary.
 */
const WIDEST = 2
/**
 * Weights of an additional point at the forward, as multiples of the sum of all other weights. They are tried in this
 * order, until the fit is close enough to that point.
 */
const anchors = [0, 0.1, 0.3, 1, 3, 10]

/**
 * Working memory of this thread, whose fits run one after another. Only `fitSvi` uses it, and no result refers to it.
 */
const workspace = emptyWorkspace()

/**
 * Largest difference allowed between the fitted volatility at the forward and the `quoted` one, both annual fractions.
 * Source: test A6 of the published API contract.
 */
export function centreTolerance(quoted: number): number {
  return Math.max(0.005, 0.03 * quoted)
}

/**
 * Fits the best slice to the points of a smile. `quoted` is the volatility that the points show at the forward:
 *
 *     least Σ u (iv_fit - iv)²,  u = 1 / max(half spread, 0.0025)²,
 *     with g >= 0 and m between the outermost points, and iv_fit(0) within `centreTolerance` of `quoted`
 *
 * If the vertex is stuck at the outermost quote, it may move as far as |m| = 1.5. This must reduce the error by a
 * quarter. It must also keep g above zero that far out, because no quote shows the wing behind the vertex.
 *
 * First, variable projection over (m, σ) from several seeds finds the region of the optimum. It fits total variance,
 * with weights that make its error approximately one of volatility. Then the objective itself is refined in all five
 * parameters. Equal inputs give equal results. Undefined if no such fit was found. Source: docs/methods/svi.md.
 */
export function fitSvi(points: SmilePoints, t: number, quoted: number): SviFit | undefined {
  const { size, k, iv, scale } = points
  if (size < 5 || scale === undefined) return undefined
  const [from, to] = [k[0], k[size - 1]]
  const widest = Math.max(WIDEST * (to - from), 2 * sviBounds.smallestSigma)
  const quotes: FitPoints = { size, k, iv, rootWeight: rootWeightsOf(points), t, from, to, widest }
  const { inside, beyond } = startFor(quotes, scale, workspace.searched)
  const held = fitFrom(inside, quotes, quoted)
  return (beyond && fitBeyondQuotes(beyond, quotes, quoted, held)) ?? held
}

/**
 * Fit with its vertex beyond the quotes. Undefined unless it is much better than `held`, the fit whose vertex lies
 * between the quotes.
 */
function fitBeyondQuotes(start: Svi, quotes: FitPoints, quoted: number, held: SviFit | undefined): SviFit | undefined {
  const [from, to] = [-sviBounds.furthestM, sviBounds.furthestM]
  const { svi, error } = refine({ ...quotes, from, to }, start, workspace)
  if (lowestDurrleman(svi, from, to).g < CLEARANCE || !isCentred(svi, quotes.t, quoted)) return undefined
  const isAskedFor = held === undefined || error < ASKED_FOR * errorOf(held.svi, quotes)
  return isAskedFor ? { svi, constrained: false, anchored: false } : undefined
}

function fitFrom(found: Svi, points: FitPoints, quoted: number): SviFit | undefined {
  let start = found
  for (const anchor of anchors) {
    const fitted = anchor > 0 ? anchoredTo(quoted, anchor, points) : points
    const free = refine(fitted, start, workspace).svi
    const lowest = lowestDurrleman(free, points.from, points.to)
    const constrained = lowest.g < CLEARANCE
    const svi = constrained ? constrainedFit(fitted, free, lowest, workspace) : free
    if (svi === undefined) return undefined
    if (isCentred(svi, points.t, quoted)) return { svi, constrained, anchored: anchor > 0 }
    start = svi
  }
  return undefined
}

function isCentred(svi: Svi, t: number, quoted: number): boolean {
  return Math.abs(Math.sqrt(totalVariance(svi, 0) / t) - quoted) <= centreTolerance(quoted)
}

function errorOf(svi: Svi, { size, k, iv, rootWeight, t }: FitPoints): number {
  let sum = 0
  for (let i = 0; i < size; i++) sum += (rootWeight[i] * (Math.sqrt(totalVariance(svi, k[i]) / t) - iv[i])) ** 2
  return sum
}

/**
 * Square root of the weight of each point's squared error. A loop, because `map` on a typed array takes three times as
 * long.
 */
function rootWeightsOf({ size, halfSpread }: SmilePoints): Float64Array {
  const rootWeight = new Float64Array(size)
  for (let i = 0; i < size; i++) rootWeight[i] = 1 / Math.max(halfSpread[i], MIN_SPREAD)
  return rootWeight
}

function anchoredTo(quoted: number, share: number, points: FitPoints): FitPoints {
  const { size } = points
  const extended = (column: Float64Array, last: number) => {
    const longer = new Float64Array(size + 1)
    longer.set(column)
    longer[size] = last
    return longer
  }
  const rootWeight = extended(points.rootWeight, Math.sqrt(share * sumOfSquares(points.rootWeight, size)))
  return { ...points, size: size + 1, k: extended(points.k, 0), iv: extended(points.iv, quoted), rootWeight }
}

function sumOfSquares(column: Float64Array, count: number): number {
  let sum = 0
  for (let i = 0; i < count; i++) sum += column[i] * column[i]
  return sum
}

/** g must be at least this far above zero. The margin is larger than the error of the computed minimum of g. */
const CLEARANCE = 1e-6
const EVEN_NODES = 25
const ROUNDS = 12

/**
 * Finds the best slice whose g is not negative between the outermost points. The published API contract prescribes the
 * penalty in its objective: U times the squared shortfalls of g at 25 even nodes, where U is the sum of all weights.
 * g must stay slightly above zero. Each round adds a node where g is still below zero, and raises the penalty. Its
 * first step treats the nodes of the last round and the new node as violated.
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
