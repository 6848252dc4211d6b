import { median } from '../../math/statistics.ts'
import { fillSplines, INTERVALS, intervalOf, knots } from './knot-grid.ts'
import type { QuoteIntervals } from './quote-intervals.ts'
import { pointAt, reachOf, type SmileCurve, totalVarianceAt } from './smile-curve.ts'

/** Upper bound of total variance at k. Infinite where there is none. */
export type UpperBound = (k: number) => number

/**
 * The fit of a curve to one expiration, in normalized coordinates: z = k / s and ω = w / s², where s is total
 * volatility at the money. In them, ω is about 1 at the money for every symbol and time to expiry.
 */
export interface FitProblem {
  readonly scale: number
  /**
   * Index of the first grid interval in use. `intervals` is the number of them; the number of unknowns is three more.
   */
  readonly first: number
  readonly intervals: number
  readonly quotes: FittedQuotes
  /** z of the lowest (`quotedFrom`) and highest (`quotedTo`) quote that has both bid and ask. */
  readonly quotedFrom: number
  readonly quotedTo: number
  /**
   * Lower bound of ω at each knot: the total variance of the earlier expiration at the same k. 0 if there is no earlier
   * expiration.
   */
  readonly below: Float64Array
  /** Upper bound of ω at each knot. Infinite where there is none. */
  readonly above: Float64Array
  /** Slopes of the earlier expiration's curve at both ends of the range, outward, in ω per z and at least 0. */
  readonly earlierSlopes: readonly [left: number, right: number]
  /**
   * Curve of the earlier expiration in its own normalized coordinates: its ω at the same z, in the middle of each
   * interval. NaN if there is no earlier expiration.
   */
  readonly earlierShape: Float64Array
}

/** Quotes of one expiration, converted to intervals of ω. */
export interface FittedQuotes {
  readonly size: number
  readonly low: Float64Array
  readonly mid: Float64Array
  readonly high: Float64Array
  /**
   * `at` is, for each quote, the index of the first of the four unknowns that determine the curve there. `splines`
   * holds the values of the four splines at the quote.
   */
  readonly at: Int32Array
  readonly splines: Float64Array
}

export const MIN_QUOTES = 3
/**
 * Number of intervals that the range extends beyond the outermost quotes. `MIN_REACH` is the least range on each side
 * of the money, in standard deviations.
 */
const MARGIN = 5
const MIN_REACH = 2
/** How many of the quotes nearest to the money determine the scale s. */
const CENTRAL = 5

/** Builds the fit problem of one expiration. Undefined with fewer than three quotes that have both bid and ask. */
export function fitProblem(
  quotes: QuoteIntervals,
  earlier: SmileCurve | undefined,
  upper: UpperBound | undefined
): FitProblem | undefined {
  if (quotes.twoSided < MIN_QUOTES) return undefined
  const scale = Math.sqrt(centralVariance(quotes))
  const bothSides = (i: number) => quotes.mid[i] > 0
  let from = 0
  while (!bothSides(from)) from++
  let to = quotes.size - 1
  while (!bothSides(to)) to--
  const [quotedFrom, quotedTo] = [quotes.k[from] / scale, quotes.k[to] / scale]
  const [first, end] = domain(quotedFrom, quotedTo, scale, earlier)
  const intervals = end - first
  const inK = (z: number) => scale * z
  const knotsInUse = knots.subarray(first, end + 1)
  const perSquare = 1 / (scale * scale)
  return {
    scale,
    first,
    intervals,
    quotes: fittedQuotes(quotes, scale, first, end),
    quotedFrom,
    quotedTo,
    below: knotsInUse.map((z) => (earlier === undefined ? 0 : totalVarianceAt(earlier, inK(z)) * perSquare)),
    above: knotsInUse.map((z) => (upper === undefined ? Number.POSITIVE_INFINITY : upper(inK(z)) * perSquare)),
    earlierSlopes: [outwardSlope(earlier, inK(knots[first]), scale), outwardSlope(earlier, inK(knots[end]), scale)],
    earlierShape: Float64Array.from({ length: intervals }, (_, n) => {
      const z = (knots[first + n] + knots[first + n + 1]) / 2
      return earlier === undefined ? Number.NaN : totalVarianceAt(earlier, earlier.scale * z) / earlier.scale ** 2
    })
  }
}

/** Total variance at the money, estimated as the median over the five two-sided quotes nearest to it. */
export function centralVariance({ size, k, mid }: QuoteIntervals): number {
  let right = 0
  while (right < size && k[right] < 0) right++
  let left = right - 1
  const nearest: number[] = []
  while (nearest.length < CENTRAL) {
    while (left >= 0 && !(mid[left] > 0)) left--
    while (right < size && !(mid[right] > 0)) right++
    if (left < 0 && right === size) break
    const leftIsNearer = right === size || (left >= 0 && -k[left] < k[right])
    nearest.push(mid[leftIsNearer ? left-- : right++])
  }
  return median(nearest)!
}

/**
 * Range of grid intervals to fit. It covers the quotes with a margin, and also the whole range of the earlier
 * expiration's curve in k: if one of two curves ended before the other, calendar arbitrage could hide there.
 */
function domain(from: number, to: number, scale: number, earlier: SmileCurve | undefined): readonly [number, number] {
  let first = intervalOf(Math.min(-MIN_REACH, from)) - MARGIN
  let end = intervalOf(Math.max(MIN_REACH, to)) + 1 + MARGIN
  if (earlier !== undefined) {
    // The range is slightly shortened, because otherwise rounding at a shared knot would add an interval.
    const [left, right] = reachOf(earlier).map((k) => (k / scale) * (1 - 1e-9))
    first = Math.min(first, intervalOf(left))
    end = Math.max(end, intervalOf(right) + 1)
  }
  return [Math.max(0, first), Math.min(INTERVALS, end)]
}

/** Outward slope of the earlier expiration's curve at k, in ω per z and at least 0. 0 if there is no earlier curve. */
function outwardSlope(earlier: SmileCurve | undefined, k: number, scale: number): number {
  return earlier === undefined ? 0 : Math.max(0, (Math.sign(k) * pointAt(earlier, k).slope) / scale)
}

/** Selects the quotes within the fitted range. Only asks without a bid lie outside it. */
function fittedQuotes(quotes: QuoteIntervals, scale: number, first: number, end: number): FittedQuotes {
  const { size, k, low, mid, high } = quotes
  const [from, to] = [scale * knots[first], scale * knots[end]]
  const perSquare = 1 / (scale * scale)
  const column = () => new Float64Array(size)
  const fitted = { low: column(), mid: column(), high: column(), at: new Int32Array(size) }
  const splines = new Float64Array(4 * size)
  let count = 0
  for (let i = 0; i < size; i++) {
    if (!(k[i] >= from && k[i] <= to)) continue
    const z = k[i] / scale
    const interval = Math.min(Math.max(intervalOf(z), first), end - 1)
    fitted.low[count] = low[i] * perSquare
    fitted.mid[count] = mid[i] * perSquare
    fitted.high[count] = high[i] * perSquare
    fitted.at[count] = interval - first
    fillSplines(interval, z, splines, 4 * count++)
  }
  return { size: count, ...fitted, splines }
}
