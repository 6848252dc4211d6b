import { PAR_YIELDS } from '../market/macro-series.ts'
import { type ExerciseStyle, exerciseStyle, isVolatilityIndex } from '../market/security.ts'
import type { Ticker } from '../market/units.ts'

/** Continuously compounded rates by tenor in days, ascending and flat outside. One point is a flat rate. */
export interface RateCurve {
  readonly points: readonly { readonly days: number; readonly rate: number }[]
  /** What is linear in time between two points: the rate, or what it has come to by then, rate times time. */
  readonly between: 'rate' | 'yield'
}

/** What the operator assumes about money, dividends and contracts where the market does not say. */
export interface Assumptions {
  /** Undefined: what the options on an index implied at the close before, where that is held, else `DEFAULT_RATES`. */
  readonly rates: RateCurve | undefined
  /** Where `rates` is undefined: what published par yields say takes the place of what the options imply. */
  readonly publishedRates?: true
  /** Continuous dividend yield of a symbol that `dividendYields` does not name. */
  readonly dividendYield: number
  readonly dividendYields: Readonly<Record<string, number>>
  /** Exercise of the options on a symbol that `exercises` does not name; undefined: by what the symbol is. */
  readonly exercise: ExerciseStyle | undefined
  readonly exercises: Readonly<Record<string, ExerciseStyle>>
  /** Symbols beyond the volatility indexes whose options are on the forward of their expiration: nobody can hold the spot. */
  readonly forwardSymbols: readonly string[]
}

/** Where neither the operator nor the market says what money costs. */
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
 * Who says what money costs: the operator or the source, published par yields, the options on an index at the close before,
 * or nobody.
 */
export const rateOrigins = ['configured', 'published', 'implied', 'default'] as const
export type RateOrigin = (typeof rateOrigins)[number]

/** One rate for every tenor, an annual fraction. */
export function flatRate(rate: number): RateCurve {
  return { points: [{ days: 0, rate }], between: 'rate' }
}

/** The index whose European options, the most traded of all, tell what money costs where the operator does not. */
const RATES_INDEX = 'SPX' as Ticker

/** The index that rates are implied from, `PAR_YIELDS` where those tell them; undefined where they are given. */
export function ratesIndexOf({ rates, publishedRates }: Assumptions): Ticker | undefined {
  if (rates !== undefined) return undefined
  return publishedRates === true ? PAR_YIELDS : RATES_INDEX
}

/** The rate of a curve for a tenor of `days`, an annual fraction. */
export function rateAt({ points, between }: RateCurve, days: number): number {
  const after = points.findIndex((point) => point.days >= days)
  if (after <= 0) return points[after === 0 ? 0 : points.length - 1].rate
  const [low, high] = [points[after - 1], points[after]]
  const share = (days - low.days) / (high.days - low.days)
  if (between === 'rate') return low.rate + share * (high.rate - low.rate)
  return (low.rate * low.days + share * (high.rate * high.days - low.rate * low.days)) / days
}

/** The continuous dividend yield that is assumed of a symbol. */
export function yieldOf({ dividendYield, dividendYields }: Assumptions, symbol: string): number {
  return dividendYields[symbol] ?? dividendYield
}

/** When the options on a symbol may be exercised. */
export function exerciseStyleOf({ exercise, exercises }: Assumptions, symbol: string): ExerciseStyle {
  return exercises[symbol] ?? exercise ?? exerciseStyle(symbol)
}

/** Whether the underlying of the options on a symbol is the forward of their expiration rather than the spot. */
export function isOnForward({ forwardSymbols }: Assumptions, symbol: string): boolean {
  return isVolatilityIndex(symbol) || forwardSymbols.includes(symbol)
}
