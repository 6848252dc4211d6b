import { mean } from '../../math/statistics.ts'
import { annualVolatility } from '../realized/daily-returns.ts'
import { type GarchModel, garchLikelihood, type Innovations, nextVariance } from './garch-likelihood.ts'
import { likeliestModel } from './garch-search.ts'

/** A GARCH model fitted to daily log returns. Its parameters are in units of decimal returns, not of percent. */
export interface GarchFit extends GarchModel {
  /** alpha + beta, at most 1. */
  readonly persistence: number
  /** Variance that the model forecasts for the day after the last return. */
  readonly nextVariance: number
  /** Log-likelihood of the returns in percent, because the fit uses percent. */
  readonly logLikelihood: number
}

const MIN_RETURNS = 250
/** Returns are fitted in percent, because the search works best with variances near 1. */
const PERCENT = 100
/** From this persistence on, a model counts as integrated: a shock to its variance never fades. */
const INTEGRATED = 0.9999

/**
 * Fits GARCH(1,1) to daily log returns less their mean, by maximum likelihood. The first day is given the sample
 * variance. An optimum on a bound is valid: with a persistence of 0.9999 or more the model is integrated, see
 * `isIntegrated`.
 *
 * Undefined with fewer than 250 returns, with constant returns, or if the search does not converge. The published API
 * reports all three as "not converged".
 * Source: Bollerslev (1986) and (1987), see garch-likelihood.ts; bounds and first variance are prescribed by the
 * published API contract.
 */
export function fitGarch(returns: Float64Array, innovations: Innovations): GarchFit | undefined {
  if (returns.length < MIN_RETURNS) return undefined
  const centre = mean(returns)!
  const squares = returns.map((r) => (PERCENT * (r - centre)) ** 2)
  const variance = squares.reduce((sum, square) => sum + square, 0) / (squares.length - 1)
  if (!(variance > 0 && variance < Number.POSITIVE_INFINITY)) return undefined
  const likelihood = garchLikelihood(squares, variance)
  const model = likeliestModel(likelihood, variance, squares.length, innovations)
  if (model === undefined) return undefined
  return {
    ...model,
    omega: model.omega / PERCENT ** 2,
    persistence: model.alpha + model.beta,
    nextVariance: nextVariance(squares, variance, model) / PERCENT ** 2,
    logLikelihood: likelihood(model, new Float64Array(4))
  }
}

/**
 * Whether a model has no long-run variance, because alpha + beta is at least 0.9999. The published API contract sets
 * this limit.
 */
export function isIntegrated({ persistence }: GarchFit): boolean {
  return persistence >= INTEGRATED
}

/**
 * Long-run volatility, an annual fraction, from the daily variance omega / (1 - persistence). Undefined for an
 * integrated model.
 */
export function longRunVolatility(fit: GarchFit): number | undefined {
  return isIntegrated(fit) ? undefined : annualVolatility(fit.omega / (1 - fit.persistence))
}

/**
 * Days until half of a shock to variance has faded: ln ½ / ln persistence. Undefined for an integrated model and for a
 * persistence of 0.
 */
export function halfLife(fit: GarchFit): number | undefined {
  const { persistence } = fit
  return persistence > 0 && !isIntegrated(fit) ? Math.log(0.5) / Math.log(persistence) : undefined
}

/**
 * Mean volatility over the next `days` days, an annual fraction, from the mean of the forecast daily variances. Each
 * day's variance is omega + persistence × the variance of the day before. For an integrated model, persistence counts
 * as 1.
 */
export function horizonVolatility(fit: GarchFit, days: number): number {
  const persistence = isIntegrated(fit) ? 1 : fit.persistence
  let [variance, sum] = [fit.nextVariance, 0]
  for (let j = 0; j < days; j++) {
    sum += variance
    variance = fit.omega + persistence * variance
  }
  return annualVolatility(sum / days)
}
