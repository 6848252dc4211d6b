import type { DailyBar } from '../../market/bar.ts'
import { closingBars, logReturns } from '../realized/daily-returns.ts'
import { ewmaVolatility } from './ewma.ts'
import { fitGarch, type GarchFit } from './garch.ts'
import type { Innovations } from './garch-likelihood.ts'
import { dailyVariances, type HarForecast, harForecast } from './har-rv.ts'

const MIN_RETURNS = 60
const GARCH_RETURNS = 1000

/** Volatility forecasts of three models (EWMA, GARCH and HAR), annual fractions. */
export interface VolatilityForecast {
  readonly ewma: number
  readonly har: HarForecast
  /**
   * The GARCH fit; undefined if the search did not converge. If its `dof` is undefined, the innovations are normal:
   * either they were requested, or Student's t did not converge.
   */
  readonly garch: GarchFit | undefined
}

/**
 * Volatility forecasts from daily bars, which must ascend by date. Bars without a close are left out. GARCH reads at
 * most the last 1,000 returns. Undefined with fewer than 60 daily returns. Source: the published API contract.
 */
export function volatilityForecast(
  bars: readonly DailyBar[],
  innovations: Innovations
): VolatilityForecast | undefined {
  const closing = closingBars(bars)
  const returns = logReturns(closing)
  if (returns.length < MIN_RETURNS) return undefined
  const [ewma, har] = [ewmaVolatility(returns), harForecast(dailyVariances(closing))]
  if (ewma === undefined || har === undefined) return undefined
  const newest = returns.slice(-GARCH_RETURNS)
  return { ewma, har, garch: fitOrFallBack((one) => fitGarch(newest, one), innovations) }
}

/**
 * Fits GARCH with the requested innovations. If Student's t does not converge, it fits GARCH with normal innovations.
 */
export function fitOrFallBack(
  fitWith: (innovations: Innovations) => GarchFit | undefined,
  innovations: Innovations
): GarchFit | undefined {
  return fitWith(innovations) ?? (innovations === 'student_t' ? fitWith('gaussian') : undefined)
}
