import type { SmilePoints } from './smile-points.ts'
import { type Svi, totalVariance } from './svi.ts'
import { lowestDurrleman } from './svi-lowest.ts'
import { refine } from './svi-refine.ts'
import type { Barrier, FitPoints } from './svi-residuals.ts'
import { type SearchPoints, type Seed, searchFrom } from './svi-search.ts'

/** A fitted slice, and what the best fit had to be held to. */
export interface SviFit {
  readonly svi: Svi
  /** The best fit allowed butterfly arbitrage between the outermost points and was fitted anew without it. */
  readonly constrained: boolean
  /** The best fit missed the volatility quoted at the forward by more than `centreTolerance` and was held to it. */
  readonly anchored: boolean
}

/** Half a spread counts as at least this many vol points as a fraction: nobody knows a volatility better. */
const tightest = 0.0025
/** Searching looks at no more points than this; the refinement at all of them. */
const searched = 40
/** Where searches start, in units of the smile's own width: m, σ. */
const seeds = [
  [0, 1],
  [0.8, 0.4],
  [-0.8, 0.4],
  [0, 4]
] as const
const trialSteps = 3
const searchSteps = 8

/** What a point at the forward counts for, as a share of all points together, in ever firmer fits. */
const anchors = [0, 0.1, 0.3, 1, 3, 10]

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
  const rootWeight = points.halfSpread.map((half) => 1 / Math.max(half, tightest))
  let fitted: FitPoints = { size, k, iv, rootWeight, t, from, to }
  let start = search(searchPoints(fitted), scale)
  for (const anchor of anchors) {
    if (anchor > 0) fitted = anchoredTo(quoted, anchor, points, fitted)
    const free = refine(fitted, start).svi
    const constrained = lowestDurrleman(free, from, to).g < clear
    const svi = constrained ? constrainedFit(fitted, free) : free
    if (svi === undefined) return undefined
    if (Math.abs(Math.sqrt(totalVariance(svi, 0) / t) - quoted) <= centreTolerance(quoted)) {
      return { svi, constrained, anchored: anchor > 0 }
    }
    start = svi
  }
  return undefined
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

/** Every n-th point, the outermost ones among them, with the weight a squared error of total variance has. */
function searchPoints({ size, k, iv, rootWeight, t, from, to }: FitPoints): SearchPoints {
  const count = Math.min(size, searched)
  const [ks, w, weight] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)]
  for (let n = 0; n < count; n++) {
    const i = count === size ? n : Math.round((n * (size - 1)) / (count - 1))
    const slope = rootWeight[i] / (2 * iv[i] * t)
    ks[n] = k[i]
    w[n] = iv[i] * iv[i] * t
    weight[n] = slope * slope
  }
  return { size: count, k: ks, w, weight, from, to }
}

/** A few steps from every seed, then the rest of the way from where the error is least. */
function search(points: SearchPoints, scale: number): Svi {
  const width = Math.min(0.5, Math.max(scale, 0.005))
  const starts = seeds.map(([m, sigma]): Seed => ({ m: m * width, sigma: sigma * width }))
  const trials = starts.map((seed) => searchFrom(points, seed, trialSteps))
  const best = trials.reduce((least, trial) => (trial.error < least.error ? trial : least))
  return searchFrom(points, best.svi, searchSteps).svi
}

/** What g keeps from zero, which is more than its least value is found to. */
const clear = 1e-6
const evenNodes = 25
const rounds = 12

/**
 * The best slice whose g is not negative anywhere between the outermost points: the objective with the wire contract's
 * penalty, U times the squares of what g falls short at 25 even nodes, U being the sum of all weights. It asks for a
 * little more than zero, adds a node where a round still found g below zero, and weighs more each round.
 */
function constrainedFit(points: FitPoints, start: Svi): Svi | undefined {
  const { from, to } = points
  const nodes = new Float64Array(evenNodes + rounds)
  for (let n = 0; n < evenNodes; n++) nodes[n] = from + ((to - from) * n) / (evenNodes - 1)
  const total = sumOfSquares(points.rootWeight, points.size)
  const barrier: Barrier = { nodes, count: evenNodes, margin: 2e-3, rootWeight: Math.sqrt(total) }
  let svi = start
  let worst = lowestDurrleman(svi, from, to)
  for (let round = 0; round < rounds; round++) {
    nodes[barrier.count++] = worst.k
    svi = refine(points, svi, barrier).svi
    worst = lowestDurrleman(svi, from, to)
    if (worst.g >= clear) return svi
    barrier.rootWeight *= 6
    barrier.margin = Math.min(0.02, barrier.margin * 1.5)
  }
  return undefined
}
