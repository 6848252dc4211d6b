import type { DailyBar } from '../../market/bar.ts'
import { leastSquares } from '../../math/least-squares.ts'
import { annualVolatility, isWhole } from '../realized/daily-returns.ts'
import { garmanKlassVariance } from '../realized/realized.ts'

const WEEK = 5
const MONTH = 22
const MAX_ROWS = 504
const MIN_ROWS = 100
/** Forecast horizon of `nextMonth` in trading days. */
const AHEAD = 21
/** Forecasts are clamped to these multiples of the last month's mean variance. */
const [MIN_MULTIPLE, MAX_MULTIPLE] = [0.25, 4]

/**
 * Coefficients of tomorrow's variance: an intercept, and weights of the mean variance over a day, a week and a month.
 */
type Weights = readonly [intercept: number, daily: number, weekly: number, monthly: number]

/** Weights if the history is too short to estimate them. Source: the wire contract. */
const GIVEN: Weights = [0, 0.4, 0.35, 0.25]

/** HAR forecast; all volatilities are annual fractions. */
export interface HarForecast {
  /** Realized volatility of the last day; then of the last 5 and the last 22 days. */
  readonly daily: number
  readonly weekly: number
  readonly monthly: number
  readonly nextDay: number
  /** Volatility from the mean forecast variance of the next 21 days. */
  readonly nextMonth: number
}

/**
 * Daily variances from bars in ascending order: squared overnight gap plus the Garman-Klass variance of the session,
 * which counts as at least 0. For a bar with missing or inconsistent open, high or low, the squared close-to-close
 * return is used. There is one variance fewer than bars, each of which must have a close. Source: the wire contract.
 */
export function dailyVariances(bars: readonly DailyBar[]): Float64Array {
  const variances = new Float64Array(Math.max(0, bars.length - 1))
  for (let i = 0; i < variances.length; i++) {
    const [before, bar] = [bars[i], bars[i + 1]]
    variances[i] = isWhole(bar)
      ? Math.log(bar.open / before.close) ** 2 + Math.max(0, garmanKlassVariance(bar))
      : Math.log(bar.close / before.close) ** 2
  }
  return variances
}

/**
 * Heterogeneous autoregressive forecast (HAR): tomorrow's variance from the mean variances of a day, a week and a
 * month.
 *
 * The weights come from ordinary least squares over the last 504 days, or are the default ones with fewer than 100 rows
 * or a
 * singular system. Later days are forecast from earlier forecasts. Every forecast is clamped to 0.25 to 4 times the
 * mean of
 * the last 22 days. Undefined with fewer than 22 variances.
 * Source: Corsi (2009), A Simple Approximate Long-Memory Model of Realized Volatility, Journal of Financial
 * Econometrics
 * 7(2), 174-196; rows, bounds and default weights are the wire contract's.
 */
export function harForecast(variances: Float64Array): HarForecast | undefined {
  const count = variances.length
  if (count < MONTH) return undefined
  const [intercept, daily, weekly, monthly] = estimated(variances) ?? GIVEN
  const path = new Float64Array(count + AHEAD)
  path.set(variances)
  const month = meanBefore(path, count, MONTH)
  let sum = 0
  for (let t = count; t < path.length; t++) {
    const [week, longer] = [meanBefore(path, t, WEEK), meanBefore(path, t, MONTH)]
    const forecast = intercept + daily * path[t - 1] + weekly * week + monthly * longer
    path[t] = Math.min(MAX_MULTIPLE * month, Math.max(MIN_MULTIPLE * month, forecast))
    sum += path[t]
  }
  return {
    daily: annualVolatility(variances[count - 1]),
    weekly: annualVolatility(meanBefore(variances, count, WEEK)),
    monthly: annualVolatility(month),
    nextDay: annualVolatility(path[count]),
    nextMonth: annualVolatility(sum / AHEAD)
  }
}

/** Least-squares regression of each day's variance on the daily, weekly and monthly means known the evening before. */
function estimated(variances: Float64Array): Weights | undefined {
  const rows = Math.min(MAX_ROWS, variances.length - MONTH)
  if (rows < MIN_ROWS) return undefined
  const start = variances.length - rows
  const column = (value: (t: number) => number) => Float64Array.from({ length: rows }, (_, row) => value(start + row))
  const columns = [
    column(() => 1),
    column((t) => variances[t - 1]),
    column((t) => meanBefore(variances, t, WEEK)),
    column((t) => meanBefore(variances, t, MONTH))
  ]
  const weights = leastSquares(columns, variances.subarray(start))
  return weights === undefined ? undefined : [weights[0], weights[1], weights[2], weights[3]]
}

function meanBefore(values: Float64Array, end: number, length: number): number {
  let sum = 0
  for (let i = end - length; i < end; i++) sum += values[i]
  return sum / length
}
