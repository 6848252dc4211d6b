/** The axes of the scenarios: no more cells than the service takes, 10,000. */

/** Prices of a scenario: odd, so that the present one is among them. */
export const PRICES = 101
/** Days of a scenario at most. */
const DAYS = 31
/** What the volatility curves beside the chosen one are off by, points. */
export const APART = 5

/** Moves of spot from -half to half, percent. */
export function spotShocks(half: number): readonly number[] {
  const middle = (PRICES - 1) / 2
  return Array.from({ length: PRICES }, (_, i) => Math.round(((i - middle) / middle) * half * 1e4) / 1e4)
}

/** Days from today to the last expiration: each of them where they are few, else evenly spread. */
export function daysForward(last: number): readonly number[] {
  const steps = Math.min(DAYS - 1, Math.max(1, last))
  return [...new Set(Array.from({ length: steps + 1 }, (_, i) => Math.round((i * Math.max(1, last)) / steps)))]
}

/** Half the prices that are drawn unless the address says otherwise, percent: every strike has room around it. */
export function halfOf(strikes: readonly number[], spot: number): number {
  const farthest = Math.max(...strikes.map((strike) => Math.abs(strike / spot - 1) * 100))
  return Math.min(60, Math.max(5, Math.ceil(farthest * 1.7)))
}

/** The place of the nearest value of an axis. */
export function nearest(axis: readonly number[], value: number): number {
  return axis.reduce((best, each, i) => (Math.abs(each - value) < Math.abs(axis[best]! - value) ? i : best), 0)
}
