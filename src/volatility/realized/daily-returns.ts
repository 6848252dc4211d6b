import type { DailyBar } from '../../market/bar.ts'
import { daysBetween, MAX_CLOSURE_DAYS } from '../../market/calendar.ts'

/** Trading days per year, used to annualize every realized figure. */
export const TRADING_DAYS = 252

/** Annual volatility from a daily variance, a fraction. A negative variance counts as 0. */
export function annualVolatility(dailyVariance: number): number {
  return Math.sqrt(TRADING_DAYS * Math.max(0, dailyVariance))
}

export function isPrice(price: number): boolean {
  return price > 0 && price < Number.POSITIVE_INFINITY
}

/** Whether a bar has all four prices and its range contains open and close. */
export function isWhole({ open, high, low, close }: DailyBar): boolean {
  if (!(isPrice(open) && isPrice(high) && isPrice(low) && isPrice(close))) return false
  return high >= Math.max(open, close) && low <= Math.min(open, close)
}

/** The bars with a close after the last gap in the dates, see `afterLastHole`. */
export function closingBars(bars: readonly DailyBar[]): readonly DailyBar[] {
  return afterLastHole(bars.filter(({ close }) => isPrice(close)))
}

/**
 * The bars after the last gap in the dates, ascending. Two neighboring bars further apart than the longest closure of
 * the exchange mean that bars are missing, and a move of weeks is no daily return.
 */
export function afterLastHole(bars: readonly DailyBar[]): readonly DailyBar[] {
  const hole = bars.findLastIndex(({ date }, k) => k > 0 && daysBetween(bars[k - 1].date, date) > MAX_CLOSURE_DAYS)
  return hole > 0 ? bars.slice(hole) : bars
}

/** ln(C_i / C_i-1) of neighboring bars, ascending: one return fewer than bars, each of which must have a close. */
export function logReturns(bars: readonly Pick<DailyBar, 'close'>[]): Float64Array {
  const returns = new Float64Array(Math.max(0, bars.length - 1))
  for (let i = 0; i < returns.length; i++) returns[i] = Math.log(bars[i + 1].close / bars[i].close)
  return returns
}
