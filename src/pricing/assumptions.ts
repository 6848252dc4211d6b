import { type ExerciseStyle, exerciseStyle, isVolatilityIndex } from '../market/security.ts'

/** What the operator assumes about money, dividends and contracts where the market does not say. */
export interface Assumptions {
  /** Continuously compounded rates by tenor in days, ascending; linear between, flat outside. One point is a flat rate. */
  readonly rates: readonly { readonly days: number; readonly rate: number }[]
  /** Continuous dividend yield of a symbol that `dividendYields` does not name. */
  readonly dividendYield: number
  readonly dividendYields: Readonly<Record<string, number>>
  /** Exercise of the options on a symbol that `exercises` does not name; undefined: by what the symbol is. */
  readonly exercise: ExerciseStyle | undefined
  readonly exercises: Readonly<Record<string, ExerciseStyle>>
  /** Symbols beyond the volatility indexes whose options are on the forward of their expiration: nobody can hold the spot. */
  readonly forwardSymbols: readonly string[]
}

export const defaultAssumptions: Assumptions = {
  rates: [{ days: 0, rate: 0.045 }],
  dividendYield: 0.013,
  dividendYields: {},
  exercise: undefined,
  exercises: {},
  forwardSymbols: []
}

/** The rate for a tenor of `days`, linear between the points of the curve and flat beyond its ends. */
export function rateAt(rates: Assumptions['rates'], days: number): number {
  const after = rates.findIndex((point) => point.days >= days)
  if (after <= 0) return rates[after === 0 ? 0 : rates.length - 1].rate
  const [low, high] = [rates[after - 1], rates[after]]
  return low.rate + ((high.rate - low.rate) * (days - low.days)) / (high.days - low.days)
}

/** The continuous dividend yield that is assumed of a symbol. */
export function yieldOf({ dividendYield, dividendYields }: Assumptions, symbol: string): number {
  return dividendYields[symbol] ?? dividendYield
}

/** When the options on a symbol may be exercised. */
export function exerciseOf({ exercise, exercises }: Assumptions, symbol: string): ExerciseStyle {
  return exercises[symbol] ?? exercise ?? exerciseStyle(symbol)
}

/** Whether the underlying of the options on a symbol is the forward of their expiration rather than the spot. */
export function isOnForward({ forwardSymbols }: Assumptions, symbol: string): boolean {
  return isVolatilityIndex(symbol) || forwardSymbols.includes(symbol)
}
