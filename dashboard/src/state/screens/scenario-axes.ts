/** Axes of the scenario grid. The service takes at most 10,000 cells. */

/** Number of prices: odd, so that the present price is among them. */
export const PRICES = 101
/** Largest number of days. */
const DAYS = 31
/** Distance of the other volatility curves from the chosen one, points. */
export const APART = 5

/** Price moves from -half to half, percent. */
export function spotShocks(half: number): readonly number[] {
  const middle = (PRICES - 1) / 2
  return Array.from({ length: PRICES }, (_, i) => Math.round(((i - middle) / middle) * half * 1e4) / 1e4)
}

/** Days from today to the last expiration: all of them if they are few, else evenly spaced. */
export function daysForward(last: number): readonly number[] {
  const steps = Math.min(DAYS - 1, Math.max(1, last))
  return [...new Set(Array.from({ length: steps + 1 }, (_, i) => Math.round((i * Math.max(1, last)) / steps)))]
}

/** Default half of the price range, percent: every strike has room around it. */
export function halfOf(strikes: readonly number[], spot: number): number {
  const farthest = Math.max(...strikes.map((strike) => Math.abs(strike / spot - 1) * 100))
  return Math.min(60, Math.max(5, Math.ceil(farthest * 1.7)))
}

/** Index of the nearest value of an axis. */
export function nearest(axis: readonly number[], value: number): number {
  return axis.reduce((best, each, i) => (Math.abs(each - value) < Math.abs(axis[best]! - value) ? i : best), 0)
}
