import { logReturns } from './daily-returns.ts'

/**
 * A sum of squares counts as 0 if it is below this share of the squared mean times the number of values. Rounding alone
 * can cause as much when all values are equal.
 */
const NOTHING = 1e-24

/**
 * Pearson's correlation of two series of equal length, -1 to 1. Undefined for fewer than two pairs or if one series is
 * constant. Source: Pearson (1896), Philosophical Transactions of the Royal Society A 187, 253-318.
 */
export function correlation(x: ArrayLike<number>, y: ArrayLike<number>): number | undefined {
  const size = x.length
  if (size < 2) return undefined
  let [meanX, meanY] = [0, 0]
  for (let i = 0; i < size; i++) {
    meanX += x[i] / size
    meanY += y[i] / size
  }
  let [xx, yy, xy] = [0, 0, 0]
  for (let i = 0; i < size; i++) {
    const [dx, dy] = [x[i] - meanX, y[i] - meanY]
    xx += dx * dx
    yy += dy * dy
    xy += dx * dy
  }
  if (!(xx > NOTHING * size * meanX ** 2 && yy > NOTHING * size * meanY ** 2)) return undefined
  const value = xy / (Math.sqrt(xx) * Math.sqrt(yy))
  return Number.isNaN(value) ? undefined : Math.min(1, Math.max(-1, value))
}

export interface DayEnd {
  /** Closing price of the underlying, USD. */
  readonly spot: number
  /** At-the-money implied volatility, in any unit. */
  readonly atmIv: number | undefined
}

/**
 * Correlation between log returns of spot and changes of at-the-money volatility, over the last `n` pairs of
 * consecutive days. Days without a volatility, or with a spot of 0 or less, are left out before pairs are formed.
 * Undefined with fewer than `n` pairs or if one series is constant. Source: the published API contract.
 */
export function spotVolCorrelation(days: readonly DayEnd[], n: number): number | undefined {
  const window = completeDays(days).slice(-n - 1)
  if (!(n >= 2 && window.length > n)) return undefined
  const returns = logReturns(window.map(({ spot }) => ({ close: spot })))
  const changes = returns.map((_, i) => window[i + 1].atmIv - window[i].atmIv)
  return correlation(returns, changes)
}

export function completeDays(days: readonly DayEnd[]): readonly { readonly spot: number; readonly atmIv: number }[] {
  return days.flatMap(({ spot, atmIv }) => {
    return spot > 0 && Number.isFinite(spot) && Number.isFinite(atmIv) ? [{ spot, atmIv: atmIv! }] : []
  })
}
