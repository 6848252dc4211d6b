import { mean } from '../../math/statistics.ts'
import { annualVolatility } from '../realized/daily-returns.ts'
import { type GarchModel, garchLikelihood, type Innovations, nextVariance } from './garch-likelihood.ts'
import { likeliestModel } from './garch-search.ts'

/** A model that was found, in units of daily decimal returns. */
export interface GarchFit extends GarchModel {
  /** alpha + beta, 1 at most. */
  readonly persistence: number
  /** The variance of the day after the last. */
  readonly nextVariance: number
  /** Of the returns in percent, as they were fitted. */
  readonly logLikelihood: number
}

const MIN_RETURNS = 250
/** Returns are fitted in percent: variances near 1 suit the search. */
const PERCENT = 100
/** From here on a model is integrated: what a shock adds to variance stays. */
const INTEGRATED = 0.9999

/**
 * GARCH(1,1) of daily log returns less their mean, by maximum likelihood. The first day has the sample variance.
 *
 * An optimum on a bound is a result like any other: a persistence from 0.9999 is an integrated model (`isIntegrated`).
 * Undefined, which the wire calls not converged: fewer than 250 returns, returns that never change, or a search that does
 * not settle.
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

/** Whether a model has no level that it returns to: alpha + beta from 0.9999, as the wire contract draws the line. */
export function isIntegrated({ persistence }: GarchFit): boolean {
  return persistence >= INTEGRATED
}

/**
 * The volatility that forecasts tend to: of the variance omega / (1 - persistence), an annual fraction. Undefined for an
 * integrated model.
 */
export function longRunVolatility(fit: GarchFit): number | undefined {
  return isIntegrated(fit) ? undefined : annualVolatility(fit.omega / (1 - fit.persistence))
}

/**
 * Days until half of a shock to variance is gone: ln ½ / ln persistence. Undefined for a model without memory, and for an
 * integrated one.
 */
export function halfLife(fit: GarchFit): number | undefined {
  const { persistence } = fit
  return persistence > 0 && !isIntegrated(fit) ? Math.log(0.5) / Math.log(persistence) : undefined
}

/**
 * The volatility of the next `days` days: of the mean of their variances, an annual fraction. The variance of a day is
 * omega + persistence times that of the day before, the persistence of an integrated model counting as 1.
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
