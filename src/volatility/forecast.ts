import type { DailyBar } from '../market/bar.ts'
import { closingBars, logReturns } from './daily-returns.ts'
import { ewmaVolatility } from './ewma.ts'
import { fitGarch, type GarchFit } from './garch.ts'
import type { Innovations } from './garch-likelihood.ts'
import { dailyVariances, type HarForecast, harForecast } from './har-rv.ts'

const MIN_RETURNS = 60
const GARCH_RETURNS = 1000

/** What three models say about tomorrow. Volatilities are annual fractions. */
export interface VolatilityForecast {
  readonly ewma: number
  readonly har: HarForecast
  /** Undefined where the fit has not converged. */
  readonly garch: GarchFit | undefined
}

/**
 * Forecasts from daily bars, ascending by date. A bar without a close is left out; GARCH reads the last 1,000 returns.
 *
 * Undefined with fewer than 60 daily returns. Source: the wire contract.
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
  return { ewma, har, garch: fitGarch(returns.slice(-GARCH_RETURNS), innovations) }
}
