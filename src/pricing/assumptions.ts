import { PAR_YIELDS } from '../market/macro-series.ts'
import { type ExerciseStyle, exerciseStyle, isVolatilityIndex } from '../market/security.ts'
import type { Ticker } from '../market/units.ts'

/** Continuously compounded rates by tenor in days, ascending; flat outside the points. One point is a flat rate. */
export interface RateCurve {
  readonly points: readonly { readonly days: number; readonly rate: number }[]
  /** Quantity that is interpolated linearly in days between two points: the rate itself, or rate times time. */
  readonly between: 'rate' | 'yield'
}

/** The operator's assumptions about rates, dividends and contracts, for what the market does not imply. */
export interface Assumptions {
  /**
   * Configured rates. If undefined: rates implied by index options at the previous close if the archive has them, else
   * `DEFAULT_RATES`.
   */
  readonly rates: RateCurve | undefined
  /** Set if published par yields replace the rates implied by options. Ignored if `rates` is given. */
  readonly publishedRates?: true
  /** Continuous dividend yield, an annual fraction, of symbols that `dividendYields` does not list. */
  readonly dividendYield: number
  readonly dividendYields: Readonly<Record<string, number>>
  /** Exercise style of symbols that `exercises` does not list; if undefined, the kind of symbol decides. */
  readonly exercise: ExerciseStyle | undefined
  readonly exercises: Readonly<Record<string, ExerciseStyle>>
  /**
   * Symbols, in addition to the volatility indexes, whose options are priced on the forward of their expiration because
   * the spot cannot be held.
   */
  readonly forwardSymbols: readonly string[]
}

/** Used if neither the operator nor the market gives a rate. */
export const DEFAULT_RATES = flatRate(0.045)

export const defaultAssumptions: Assumptions = {
  rates: undefined,
  dividendYield: 0.013,
  dividendYields: {},
  exercise: undefined,
  exercises: {},
  forwardSymbols: []
}

/**
 * Origin of the rates: operator or source, published par yields, index options at the previous close, or none of these.
 */
export const rateOrigins = ['configured', 'published', 'implied', 'default'] as const
export type RateOrigin = (typeof rateOrigins)[number]

/** Curve with one rate, an annual fraction, for every tenor. */
export function flatRate(rate: number): RateCurve {
  return { points: [{ days: 0, rate }], between: 'rate' }
}

/** Index whose European options, the most traded of all, imply the rates if the operator gives none. */
const RATES_INDEX = 'SPX' as Ticker

/**
 * Symbol that supplies the rates: an index whose options imply them, or `PAR_YIELDS`. Undefined if the operator gives
 * the rates.
 */
export function ratesIndexOf({ rates, publishedRates }: Assumptions): Ticker | undefined {
  if (rates !== undefined) return undefined
  return publishedRates === true ? PAR_YIELDS : RATES_INDEX
}

/** Rate of a curve for a tenor of `days`, an annual fraction. */
export function rateAt({ points, between }: RateCurve, days: number): number {
  const after = points.findIndex((point) => point.days >= days)
  if (after <= 0) return points[after === 0 ? 0 : points.length - 1].rate
  const [low, high] = [points[after - 1], points[after]]
  const share = (days - low.days) / (high.days - low.days)
  if (between === 'rate') return low.rate + share * (high.rate - low.rate)
  return (low.rate * low.days + share * (high.rate * high.days - low.rate * low.days)) / days
}

/** Assumed continuous dividend yield of a symbol, an annual fraction. */
export function yieldOf({ dividendYield, dividendYields }: Assumptions, symbol: string): number {
  return dividendYields[symbol] ?? dividendYield
}

export function exerciseStyleOf({ exercise, exercises }: Assumptions, symbol: string): ExerciseStyle {
  return exercises[symbol] ?? exercise ?? exerciseStyle(symbol)
}

/** Whether options on a symbol are priced on the forward of their expiration rather than on the spot. */
export function isOnForward({ forwardSymbols }: Assumptions, symbol: string): boolean {
  return isVolatilityIndex(symbol) || forwardSymbols.includes(symbol)
}
