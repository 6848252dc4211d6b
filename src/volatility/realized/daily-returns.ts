import type { DailyBar } from '../../market/bar.ts'
import { daysBetween, MAX_CLOSURE_DAYS } from '../../market/calendar.ts'

/** Trading days per year, used to annualize every realized figure. */
export const TRADING_DAYS = 252

/** Annual volatility, a fraction, that belongs to a daily variance. A negative variance counts as 0. */
export function annualVolatility(dailyVariance: number): number {
  return Math.sqrt(TRADING_DAYS * Math.max(0, dailyVariance))
}

export function isPrice(price: number): boolean {
  return price > 0 && price < Number.POSITIVE_INFINITY
}

/** Whether a bar has all four prices, and its open and close lie between low and high. */
export function isWhole({ open, high, low, close }: DailyBar): boolean {
  if (!(isPrice(open) && isPrice(high) && isPrice(low) && isPrice(close))) return false
  return high >= Math.max(open, close) && low <= Math.min(open, close)
}

/** Drops bars without a close, then all bars before the last gap in the dates. See `afterLastHole`. */
export function closingBars(bars: readonly DailyBar[]): readonly DailyBar[] {
  return afterLastHole(bars.filter(({ close }) => isPrice(close)))
}

/**
 * The bars after the last gap in the dates, ascending. If two consecutive bars are further apart than the longest
 * closure of the exchange, bars between them are missing. A price change over weeks is no daily return.
 */
export function afterLastHole(bars: readonly DailyBar[]): readonly DailyBar[] {
  const hole = bars.findLastIndex(({ date }, k) => k > 0 && daysBetween(bars[k - 1].date, date) > MAX_CLOSURE_DAYS)
  return hole > 0 ? bars.slice(hole) : bars
}

/**
 * Log returns ln(C_i / C_i-1) between consecutive bars, ascending. Every bar must have a close. There is one return
 * fewer than bars.
 */
export function logReturns(bars: readonly Pick<DailyBar, 'close'>[]): Float64Array {
  const returns = new Float64Array(Math.max(0, bars.length - 1))
  for (let i = 0; i < returns.length; i++) returns[i] = Math.log(bars[i + 1].close / bars[i].close)
  return returns
}
