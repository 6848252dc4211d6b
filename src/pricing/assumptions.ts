import { PAR_YIELDS } from '../market/macro-series.ts'
import { type ExerciseStyle, exerciseStyle, isVolatilityIndex } from '../market/security.ts'
import type { Ticker } from '../market/units.ts'

/**
 * Interest rates by tenor in days, continuously compounded, ascending by tenor. Before the first point and after the
 * last one the rate is constant, so a single point means one rate for every tenor.
 */
export interface RateCurve {
  readonly points: readonly { readonly days: number; readonly rate: number }[]
  /**
   * Quantity interpolated linearly in days between two points: the rate itself (`rate`), or rate times time (`yield`).
   */
  readonly between: 'rate' | 'yield'
}

/**
 * The operator's assumptions about rates, dividends and exercise. They apply where the market does not imply a value.
 */
export interface Assumptions {
  /**
   * Rates that the operator configured. If undefined, the rates are those implied by index options at the previous
   * close, if the archive has them, and otherwise `DEFAULT_RATES`.
   */
  readonly rates: RateCurve | undefined
  /**
   * If true, par yields published by the US Treasury replace the rates implied by options. Ignored if `rates` is given.
   */
  readonly publishedRates?: true
  /** Continuous dividend yield, an annual fraction, of symbols that `dividendYields` does not list. */
  readonly dividendYield: number
  readonly dividendYields: Readonly<Record<string, number>>
  /**
   * Exercise style of symbols that `exercises` does not list. If undefined, it depends on the kind of symbol: index or
   * stock.
   */
  readonly exercise: ExerciseStyle | undefined
  readonly exercises: Readonly<Record<string, ExerciseStyle>>
  /**
   * Symbols whose spot cannot be held, so that their options are priced on the forward of their expiration. Volatility
   * indexes are always treated so and need not be listed.
   */
  readonly forwardSymbols: readonly string[]
}

/** Rates used if neither the operator nor the market gives any: 4.5 % for every tenor. */
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
 * Origin of the rates: the operator or the data source, published par yields, index options at the previous close, or
 * the default.
 */
export const rateOrigins = ['configured', 'published', 'implied', 'default'] as const
export type RateOrigin = (typeof rateOrigins)[number]

/** Makes a curve that has the same rate, an annual fraction, for every tenor. */
export function flatRate(rate: number): RateCurve {
  return { points: [{ days: 0, rate }], between: 'rate' }
}

/** Index whose options imply the rates if the operator gives none: its European options are the most traded of all. */
const RATES_INDEX = 'SPX' as Ticker

/**
 * Symbol whose data supply the rates: an index with options, or `PAR_YIELDS`. Undefined if the operator gives the
 * rates.
 */
export function ratesIndexOf({ rates, publishedRates }: Assumptions): Ticker | undefined {
  if (rates !== undefined) return undefined
  return publishedRates === true ? PAR_YIELDS : RATES_INDEX
}

/** Rate of a curve for a tenor of `days`, as an annual fraction. */
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

/** Whether options on a symbol are priced on the forward of their expiration, and not on the spot. */
export function isOnForward({ forwardSymbols }: Assumptions, symbol: string): boolean {
  return isVolatilityIndex(symbol) || forwardSymbols.includes(symbol)
}
