import { mean } from '../../math/statistics.ts'
import { annualVolatility } from '../realized/daily-returns.ts'
import { type GarchModel, garchLikelihood, type Innovations, nextVariance } from './garch-likelihood.ts'
import { likeliestModel } from './garch-search.ts'

/** A fitted GARCH model in units of daily decimal returns. */
export interface GarchFit extends GarchModel {
  /** alpha + beta, at most 1. */
  readonly persistence: number
  /** Variance forecast for the day after the last return. */
  readonly nextVariance: number
  /** Log-likelihood of the returns in percent, the unit of the fit. */
  readonly logLikelihood: number
}

const MIN_RETURNS = 250
/** Returns are fitted in percent, because the search works best with variances near 1. */
const PERCENT = 100
/** Persistence from which a model counts as integrated: shocks to variance never fade. */
const INTEGRATED = 0.9999

/**
 * Fits GARCH(1,1) to daily log returns less their mean by maximum likelihood; the first day has the sample variance. An
 * optimum on a bound is valid: a persistence of 0.9999 or more is an integrated model, see `isIntegrated`.
 *
 * Undefined ("not converged" on the wire) with fewer than 250 returns, constant returns, or a search that does not
 * converge.
 * Source: Bollerslev (1986) and (1987), see garch-likelihood.ts; bounds and first variance are the wire contract's.
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

/** Whether a model has no long-run variance: alpha + beta of at least 0.9999, the limit set by the wire contract. */
export function isIntegrated({ persistence }: GarchFit): boolean {
  return persistence >= INTEGRATED
}

/**
 * Long-run volatility, from the variance omega / (1 - persistence); an annual fraction. Undefined for an integrated
 * model.
 */
export function longRunVolatility(fit: GarchFit): number | undefined {
  return isIntegrated(fit) ? undefined : annualVolatility(fit.omega / (1 - fit.persistence))
}

/**
 * Days until half of a shock to variance has faded: ln ½ / ln persistence. Undefined for a model with persistence 0 and
 * for an integrated one.
 */
export function halfLife(fit: GarchFit): number | undefined {
  const { persistence } = fit
  return persistence > 0 && !isIntegrated(fit) ? Math.log(0.5) / Math.log(persistence) : undefined
}

/**
 * Mean volatility over the next `days` days, from the mean of the daily variances; an annual fraction. Each day's
 * variance is omega + persistence × the previous day's variance; the persistence of an integrated model counts as 1.
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
