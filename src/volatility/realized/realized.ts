import type { DailyBar } from '../../market/bar.ts'
import { difference, inPercent } from '../../math/optional.ts'
import { mean, sampleStandardDeviation } from '../../math/statistics.ts'
import { afterLastHole, annualVolatility, isWhole, logReturns } from './daily-returns.ts'

declare const usable: unique symbol
/** Daily bars, ascending by date, in which each bar has four consistent prices. Only `usableBars` makes them. */
export type UsableBars = readonly DailyBar[] & { readonly [usable]: true }

/**
 * Selects the bars that the volatility estimators read. A bar is left out if a price is missing, not positive or
 * inconsistent with the others; a window of n bars then reaches one bar further back. Bars before a gap in the dates
 * are left out too, see `afterLastHole`. Source: the published API contract.
 */
export function usableBars(bars: readonly DailyBar[]): UsableBars {
  return afterLastHole(bars.filter(isWhole)) as readonly DailyBar[] as UsableBars
}

/**
 * Close-to-close volatility: sample deviation of the last n log returns, an annual fraction. Undefined with fewer than
 * n + 1 bars or for n below 2.
 */
export function closeToClose(bars: UsableBars, n: number): number | undefined {
  const window = last(bars, n + 1)
  if (window === undefined || n < 2) return undefined
  return annualVolatility(sampleVariance(logReturns(window)))
}

/**
 * Parkinson volatility from the ranges of the last n bars: variance Σ ln(H/L)² / (4 n ln 2). Assumes no drift and no
 * overnight gap.
 *
 * Unit: an annual fraction. Undefined with fewer than n bars.
 * Source: Parkinson (1980), The Extreme Value Method for Estimating the Variance of the Rate of Return, Journal of
 * Business 53(1), 61-65.
 */
export function parkinson(bars: UsableBars, n: number): number | undefined {
  return fromMean(bars, n, ({ high, low }) => Math.log(high / low) ** 2 / (4 * Math.LN2))
}

/**
 * Garman-Klass volatility from range and body of the last n bars: the mean of ½ ln(H/L)² - (2 ln 2 - 1) ln(C/O)².
 * Assumes no drift and no overnight gap.
 *
 * Unit: an annual fraction. Undefined with fewer than n bars.
 * Source: Garman and Klass (1980), On the Estimation of Security Price Volatilities from Historical Data, Journal of
 * Business 53(1), 67-78.
 */
export function garmanKlass(bars: UsableBars, n: number): number | undefined {
  return fromMean(bars, n, garmanKlassVariance)
}

/** Garman-Klass variance of one trading session, without the move of the night before. It may be negative. */
export function garmanKlassVariance({ open, high, low, close }: DailyBar): number {
  return 0.5 * Math.log(high / low) ** 2 - (2 * Math.LN2 - 1) * Math.log(close / open) ** 2
}

/**
 * Rogers-Satchell volatility of the last n bars: the mean of ln(H/C) ln(H/O) + ln(L/C) ln(L/O). Unbiased under drift;
 * assumes no overnight gap.
 *
 * Unit: an annual fraction. Undefined with fewer than n bars.
 * Source: Rogers and Satchell (1991), Estimating Variance from High, Low and Closing Prices, Annals of Applied
 * Probability 1(4), 504-512.
 */
export function rogersSatchell(bars: UsableBars, n: number): number | undefined {
  return fromMean(bars, n, rogersSatchellVariance)
}

/**
 * Yang-Zhang volatility from nights, bodies and ranges of the last n bars: V_night + κ V_body + (1 - κ) V_RS with κ =
 * 0.34 / (1.34 + (n+1)/(n-1)). Unbiased under drift and overnight gaps.
 *
 * Unit: an annual fraction. Undefined with fewer than n + 1 bars or for n below 2.
 * Source: Yang and Zhang (2000), Drift-Independent Volatility Estimation Based on High, Low, Open, and Close Prices,
 * Journal of Business 73(3), 477-492.
 */
export function yangZhang(bars: UsableBars, n: number): number | undefined {
  const window = last(bars, n + 1)
  if (window === undefined || n < 2) return undefined
  const days = window.slice(1)
  const nights = days.map(({ open }, i) => Math.log(open / window[i].close))
  const bodies = days.map(({ open, close }) => Math.log(close / open))
  const kappa = 0.34 / (1.34 + (n + 1) / (n - 1))
  const ranges = mean(days.map(rogersSatchellVariance))!
  return annualVolatility(sampleVariance(nights) + kappa * sampleVariance(bodies) + (1 - kappa) * ranges)
}

function rogersSatchellVariance({ open, high, low, close }: DailyBar): number {
  return Math.log(high / close) * Math.log(high / open) + Math.log(low / close) * Math.log(low / open)
}

function fromMean(bars: UsableBars, n: number, variance: (bar: DailyBar) => number): number | undefined {
  const window = last(bars, n)
  return window === undefined ? undefined : annualVolatility(mean(window.map(variance))!)
}

function sampleVariance(values: ArrayLike<number>): number {
  return sampleStandardDeviation(values)! ** 2
}

function last(bars: UsableBars, count: number): readonly DailyBar[] | undefined {
  return count >= 1 && bars.length >= count ? bars.slice(-count) : undefined
}

/**
 * Close-to-close volatilities in percent over the last 5, 10, 20, 30 and 60 returns. Undefined if there are too few
 * bars.
 */
export interface RealizedWindows {
  readonly rv5: number | undefined
  readonly rv10: number | undefined
  readonly rv20: number | undefined
  readonly rv30: number | undefined
  readonly rv60: number | undefined
}

export function realizedWindows(bars: UsableBars): RealizedWindows {
  const over = (n: number) => inPercent(closeToClose(bars, n))
  return { rv5: over(5), rv10: over(10), rv20: over(20), rv30: over(30), rv60: over(60) }
}

const SESSIONS_BACK = 5

/**
 * 20-day realized volatility now minus five completed trading sessions ago, an annual fraction. Undefined with fewer
 * than 26 bars. Source: the published API contract.
 */
export function realizedChange(bars: UsableBars): number | undefined {
  const before = bars.slice(0, -SESSIONS_BACK) as readonly unknown[] as UsableBars
  return difference(closeToClose(bars, 20), closeToClose(before, 20))
}
