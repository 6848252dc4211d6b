import type { DailyBar } from '../../market/bar.ts'
import { leastSquares } from '../../math/least-squares.ts'
import { annualVolatility, isWhole } from '../realized/daily-returns.ts'
import { garmanKlassVariance } from '../realized/realized.ts'

const WEEK = 5
const MONTH = 22
const MAX_ROWS = 504
const MIN_ROWS = 100
/** Number of trading days that the forecast `nextMonth` covers. */
const AHEAD = 21
/** A forecast variance is limited to between these multiples of the last month's mean variance. */
const [MIN_MULTIPLE, MAX_MULTIPLE] = [0.25, 4]

/**
 * Coefficients with which tomorrow's variance is forecast: an intercept, and the weights of the mean variances of the
 * last day, week and month.
 */
type Weights = readonly [intercept: number, daily: number, weekly: number, monthly: number]

/** Weights used if the history is too short to estimate them. Source: the published API contract. */
const GIVEN: Weights = [0, 0.4, 0.35, 0.25]

/** Forecast of the HAR model. All volatilities are annual fractions. */
export interface HarForecast {
  /** Realized volatility: of the last day (`daily`), of the last 5 days, and of the last 22 days. */
  readonly daily: number
  readonly weekly: number
  readonly monthly: number
  readonly nextDay: number
  /** Volatility over the next 21 days, from the mean of the forecast variances. */
  readonly nextMonth: number
}

/**
 * Daily variances from bars in ascending order. Each is the squared overnight gap plus the Garman-Klass variance of the
 * trading session, which counts as at least 0. If a bar's open, high or low is missing or inconsistent, the squared
 * close-to-close return takes its place. Every bar must have a close. There is one variance fewer than bars. Source:
 * the published API contract.
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
 * Heterogeneous autoregressive forecast (HAR): tomorrow's variance is forecast from the mean variances of the last day,
 * week and month. Undefined with fewer than 22 variances.
 *
 * The weights come from ordinary least squares over the last 504 days. With fewer than 100 rows or a singular system,
 * default weights are used. Later days are forecast from the forecasts of the days before. Every forecast is limited to
 * 0.25 to 4 times the mean of the last 22 days.
 * Source: Corsi (2009), A Simple Approximate Long-Memory Model of Realized Volatility, Journal of Financial
 * Econometrics 7(2), 174-196; rows, bounds and default weights are prescribed by the published API contract.
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

/**
 * Estimates the weights by least squares: a regression of each day's variance on the daily, weekly and monthly means
 * known the evening before.
 */
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
