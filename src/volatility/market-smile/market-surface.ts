import { isLive } from '../../market/clock.ts'
import { memoize } from '../../market/memoize.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { checkCurve } from './arbitrage-check.ts'
import { rowTimes } from './band-equations.ts'
import { FIRMER, FIRMNESS, type Fit, fitCurve } from './curve-fit.ts'
import { centralVariance, type FitProblem, fitProblem, MIN_QUOTES, type UpperBound } from './fit-problem.ts'
import { type QuoteIntervals, quoteIntervals } from './quote-intervals.ts'
import { type MarketSmile, type SmileCurve, totalVarianceAt } from './smile-curve.ts'

/** Why a listing has no market smile: too few quotes, none free of arbitrage found, or one that misses its quotes. */
export const marketRefusals = ['few_points', 'no_fit', 'rough'] as const
export type MarketRefusal = (typeof marketRefusals)[number]

/** The market smiles of a chain, by index of `chain.expirations`: each live listing has a smile or a refusal. */
export interface MarketSurface {
  readonly smiles: readonly (MarketSmile | undefined)[]
  readonly refusals: readonly (MarketRefusal | undefined)[]
}

/** One listing as the surface needs it. */
export interface FittedListing {
  /** Years to expiry. */
  readonly t: number
  readonly quotes: QuoteIntervals
}

/** What became of one listing. */
export interface ListingFit {
  readonly curve: SmileCurve | undefined
  readonly refusal: MarketRefusal | undefined
  readonly evaluations: number
}

/** The share of quotes with both sides that have to lie in their intervals. */
const MIN_INSIDE = 0.6
/** How many later listings say what a smile may not exceed, and how much later each has to be. */
const NEIGHBOURS = 3
const LATER = 1.0001
/** Beyond its last quote a later listing still speaks for this many deviations. */
const OVERHANG = 0.3
/** How far the bound from later listings keeps from the earlier smile. */
const ABOVE_EARLIER = 1.004
const LIFTS = 3

/**
 * The market smile of each listing of a chain, by index of `chain.expirations`: undefined where it is refused or no longer
 * live. Free of butterfly arbitrage each, and of calendar arbitrage together. Source: docs/methods/market-smile.md.
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
 * Fits listings in the order of their time, each held to the last accepted one before it and to what the next three quote.
 * A refused listing binds no other.
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

/** By time; of two at the same time by what they quote, so that the order in which they are given does not matter. */
function inOrder(a: FittedListing, b: FittedListing): number {
  return a.t - b.t || b.quotes.twoSided - a.quotes.twoSided || a.quotes.k[0] - b.quotes.k[0]
}

/** Fits one listing, once more without later listings and with firmer conditions where the check asks for it. */
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
 * The curve of a fit that passes the check; one that only falls below the earlier listing is raised by as much, which
 * leaves d1 and d2 as they fall and hardly changes g.
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

/** The share of quotes with both sides whose interval holds the curve. */
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

/** The upper edges of the intervals of a listing over k, as far as it speaks; undefined further out. */
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
 * What later listings leave room for: the middle of three upper edges, the larger of two. One listing that is too high
 * does not lift the smile by it, nor does one that is too low press it down; never less than the earlier smile asks for.
 */
function upperBound(later: readonly { readonly edge: Edge }[], earlier: SmileCurve | undefined): UpperBound {
  return (k) => {
    const edges = later.map(({ edge }) => edge(k)).filter((edge) => edge !== undefined)
    if (edges.length === 0) return Number.POSITIVE_INFINITY
    const bound = edges.sort((a, b) => a - b)[edges.length >> 1]
    return earlier === undefined ? bound : Math.max(bound, ABOVE_EARLIER * totalVarianceAt(earlier, k))
  }
}
