import { annualVolatility, logReturns } from './daily-returns.ts'
import type { UsableBars } from './realized.ts'

export interface SemiDeviation {
  readonly downside: number
  readonly upside: number
}

/**
 * Downside and upside volatility: semi-deviations of the last `n` log returns about zero, from the variances 2/n Σ
 * min(r, 0)² and 2/n Σ max(r, 0)². The factor 2 makes each equal to the full volatility if returns are symmetric about
 * 0. The mean of their squares is the mean squared return. Undefined with fewer than n + 1 bars.
 *
 * Source: the published API contract; for the measure, Barndorff-Nielsen, Kinnebrock and Shephard (2010), Measuring
 * Downside Risk: Realised Semivariance, in Volatility and Time Series Econometrics, Oxford University Press.
 */
export function semiDeviation(bars: UsableBars, n: number): SemiDeviation | undefined {
  if (!(n >= 1 && bars.length > n)) return undefined
  let [falls, rises] = [0, 0]
  for (const r of logReturns(bars.slice(-n - 1))) {
    falls += Math.min(r, 0) ** 2
    rises += Math.max(r, 0) ** 2
  }
  return { downside: annualVolatility((2 * falls) / n), upside: annualVolatility((2 * rises) / n) }
}
