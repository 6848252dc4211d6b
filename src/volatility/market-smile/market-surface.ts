import { isLive } from '../../market/clock.ts'
import { memoize } from '../../market/memoize.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { checkCurve } from './arbitrage-check.ts'
import { rowTimes } from './band-equations.ts'
import { FIRMER, FIRMNESS, type Fit, fitCurve } from './curve-fit.ts'
import { centralVariance, type FitProblem, fitProblem, MIN_QUOTES, type UpperBound } from './fit-problem.ts'
import { type QuoteIntervals, quoteIntervals } from './quote-intervals.ts'
import { type MarketSmile, type SmileCurve, totalVarianceAt } from './smile-curve.ts'

/**
 * Why an expiration has no market smile. `few_points`: too few quotes. `no_fit`: no curve free of arbitrage was found.
 * `rough`: the curve misses too many quotes.
 */
export const marketRefusals = ['few_points', 'no_fit', 'rough'] as const
export type MarketRefusal = (typeof marketRefusals)[number]

/**
 * Market smiles of a chain. Both lists are indexed like `chain.expirations`. Each expiration that is still alive has
 * either a smile or a refusal.
 */
export interface MarketSurface {
  readonly smiles: readonly (MarketSmile | undefined)[]
  readonly refusals: readonly (MarketRefusal | undefined)[]
}

export interface FittedListing {
  /** Years to expiry. */
  readonly t: number
  readonly quotes: QuoteIntervals
}

export interface ListingFit {
  readonly curve: SmileCurve | undefined
  readonly refusal: MarketRefusal | undefined
  readonly evaluations: number
}

/** Minimum fraction of two-sided quotes through whose bid-ask interval the curve must run. */
const MIN_INSIDE = 0.6
/**
 * Number of later expirations whose quotes bound a smile from above. `LATER` is the least ratio of their time to expiry
 * to the smile's.
 */
const NEIGHBOURS = 3
const LATER = 1.0001
/** A later expiration still sets a bound this far beyond its last quote, in standard deviations. */
const OVERHANG = 0.3
/** Least ratio of the upper bound to the total variance of the earlier expiration's smile. */
const ABOVE_EARLIER = 1.004
const LIFTS = 3

/**
 * Fits a market smile to each expiration of a chain. A smile is undefined if it was refused or the expiration is past.
 * Each smile is free of butterfly arbitrage, and together they are free of calendar arbitrage. Source:
 * docs/methods/market-smile.md.
 */
export const marketSurface = memoize((chain: PricedChain): MarketSurface => {
  const live = chain.expirations.map(({ date, settlement }) => isLive(chain.asOf, date, settlement))
  const outcomes = fitListings(chain.carries.map(({ t }, at) => ({ t, quotes: quoteIntervals(chain, at) })))
  return {
    smiles: outcomes.map(({ curve }, at) => {
      const { t, forward } = chain.carries[at]
      return curve && { ...curve, at, date: chain.expirations[at].date, t, forward }
    }),
    refusals: outcomes.map(({ refusal }, at) => (live[at] ? refusal : undefined))
  }
})

/**
 * Fits expirations in order of time to expiry. Each smile is bounded from below by the last accepted smile before it,
 * and from above by the quotes of the next three expirations. A refused expiration sets no lower bound for later ones.
 */
export function fitListings(listings: readonly FittedListing[]): readonly ListingFit[] {
  const outcomes: ListingFit[] = listings.map(() => ({ curve: undefined, refusal: 'few_points', evaluations: 0 }))
  const usable = listings
    .map((listing, at) => ({ ...listing, at }))
    .filter(({ quotes }) => quotes.twoSided >= MIN_QUOTES)
    .map((listing) => ({ ...listing, edge: upperEdge(listing.quotes) }))
    .sort(inOrder)
  let earlier: SmileCurve | undefined
  usable.forEach(({ at, t, quotes }, place) => {
    const later = usable.slice(place + 1).filter((other) => other.t > LATER * t)
    const outcome = fitListing(quotes, earlier, upperBound(later.slice(0, NEIGHBOURS), earlier))
    outcomes[at] = outcome
    earlier = outcome.curve ?? earlier
  })
  return outcomes
}

/**
 * Orders expirations by time to expiry. Expirations with equal times are ordered by their quotes, so that the order of
 * the input does not matter.
 */
function inOrder(a: FittedListing, b: FittedListing): number {
  return a.t - b.t || b.quotes.twoSided - a.quotes.twoSided || a.quotes.k[0] - b.quotes.k[0]
}

function fitListing(quotes: QuoteIntervals, earlier: SmileCurve | undefined, upper: UpperBound): ListingFit {
  const problem = fitProblem(quotes, earlier, upper)!
  const refused = (refusal: MarketRefusal, evaluations: number) => ({ curve: undefined, refusal, evaluations })
  let fit = fitCurve(problem, earlier)
  let evaluations = fit?.evaluations ?? 0
  if (fit !== undefined && !fit.check.holds) {
    const alone = { ...problem, above: problem.above.map(() => Number.POSITIVE_INFINITY) }
    fit = fitCurve(alone, earlier, FIRMER * FIRMNESS, fit.curve.coefficients)
    evaluations += fit?.evaluations ?? 0
  }
  const curve = fit && lifted(fit, earlier)
  if (curve === undefined) return refused('no_fit', evaluations)
  return shareInside(problem, curve) >= MIN_INSIDE
    ? { curve, refusal: undefined, evaluations }
    : refused('rough', evaluations)
}

/**
 * Returns the curve of a fit if it passes the arbitrage check. If the only failure is that it falls below the earlier
 * expiration, the curve is scaled up. Scaling keeps d1 and d2 falling and hardly changes Durrleman's function.
 */
function lifted({ curve, check }: Fit, earlier: SmileCurve | undefined): SmileCurve | undefined {
  for (let lifts = 0; !check.holds; lifts++) {
    if (lifts === LIFTS || !check.butterflyFree || check.fall === 0) return undefined
    const factor = (1 + check.fall) * (1 + 1e-6)
    curve = { ...curve, coefficients: curve.coefficients.map((c) => c * factor) }
    check = checkCurve(curve, earlier)
  }
  return curve
}

function shareInside({ quotes }: FitProblem, { coefficients }: SmileCurve): number {
  let [count, inside] = [0, 0]
  for (let q = 0; q < quotes.size; q++) {
    if (!(quotes.mid[q] > 0)) continue
    const omega = rowTimes(quotes.splines, 4 * q, coefficients, quotes.at[q])
    count++
    if (omega >= quotes.low[q] && omega <= quotes.high[q]) inside++
  }
  return inside / count
}

/**
 * Upper edge of the bid-ask intervals of an expiration, as a function of k. Undefined outside the range of its quotes.
 */
type Edge = (k: number) => number | undefined

function upperEdge(quotes: QuoteIntervals): Edge {
  const k = new Float64Array(quotes.twoSided)
  const high = new Float64Array(quotes.twoSided)
  let count = 0
  for (let i = 0; i < quotes.size; i++) {
    if (!(quotes.mid[i] > 0)) continue
    k[count] = quotes.k[i]
    high[count++] = quotes.high[i]
  }
  const last = count - 1
  const overhang = OVERHANG * Math.sqrt(centralVariance(quotes))
  return (at) => {
    if (!(at >= k[0] - overhang && at <= k[last] + overhang)) return undefined
    if (at <= k[0]) return high[0]
    if (at >= k[last]) return high[last]
    let [from, to] = [0, last]
    while (to - from > 1) {
      const middle = (from + to) >> 1
      if (k[middle] <= at) from = middle
      else to = middle
    }
    return high[from] + ((high[to] - high[from]) * (at - k[from])) / (k[to] - k[from])
  }
}

/**
 * Upper bound that follows from the upper edges of later expirations: the middle one of three edges, the larger one of
 * two. A single expiration whose quotes are too high or too low therefore does not move the bound. The bound always
 * leaves room above the earlier smile.
 */
function upperBound(later: readonly { readonly edge: Edge }[], earlier: SmileCurve | undefined): UpperBound {
  return (k) => {
    const edges = later.map(({ edge }) => edge(k)).filter((edge) => edge !== undefined)
    if (edges.length === 0) return Number.POSITIVE_INFINITY
    const bound = edges.sort((a, b) => a - b)[edges.length >> 1]
    return earlier === undefined ? bound : Math.max(bound, ABOVE_EARLIER * totalVarianceAt(earlier, k))
  }
}
