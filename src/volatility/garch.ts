import { mean } from '../math/statistics.ts'
import { annualVolatility } from './daily-returns.ts'
import { type GarchModel, garchLikelihood, type Innovations, nextVariance } from './garch-likelihood.ts'
import { likeliestModel, MAX_PERSISTENCE } from './garch-search.ts'

/** A model that was found, in units of daily decimal returns. */
export interface GarchFit extends GarchModel {
  /** alpha + beta, below 0.9999. */
  readonly persistence: number
  /** The variance of the day after the last. */
  readonly nextVariance: number
  /** Of the returns in percent, as they were fitted. */
  readonly logLikelihood: number
}

const MIN_RETURNS = 250
/** Returns are fitted in percent: variances near 1 suit the search. */
const PERCENT = 100
/** A persistence this near to its bound is stuck there. */
const STUCK = 1e-6

/**
 * GARCH(1,1) of daily log returns less their mean, by maximum likelihood. The first day has the sample variance.
 *
 * Undefined, which the wire calls not converged: fewer than 250 returns, returns that never change, a search that does
 * not settle, or a persistence at its bound of 0.9999.
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
  const persistence = model.alpha + model.beta
  if (!(persistence < MAX_PERSISTENCE - STUCK)) return undefined
  return {
    ...model,
    omega: model.omega / PERCENT ** 2,
    persistence,
    nextVariance: nextVariance(squares, variance, model) / PERCENT ** 2,
    logLikelihood: likelihood(model, new Float64Array(4))
  }
}

/** The volatility that forecasts tend to: of the variance omega / (1 - persistence), an annual fraction. */
export function longRunVolatility(fit: GarchFit): number {
  return annualVolatility(longRunVariance(fit))
}

/** Days until half of a shock to variance is gone: ln ½ / ln persistence. Undefined for a model without memory. */
export function halfLife({ persistence }: GarchFit): number | undefined {
  return persistence > 0 ? Math.log(0.5) / Math.log(persistence) : undefined
}

/**
 * The volatility of the next `days` days: of the mean of their variances, an annual fraction. Day j has
 * L + persistence^(j-1) (h - L), with h the variance of the next day and L the long-run variance.
 */
export function horizonVolatility(fit: GarchFit, days: number): number {
  const level = longRunVariance(fit)
  let [weight, sum] = [1, 0]
  for (let j = 0; j < days; j++) {
    sum += weight
    weight *= fit.persistence
  }
  return annualVolatility(level + (sum / days) * (fit.nextVariance - level))
}

function longRunVariance({ omega, persistence }: GarchFit): number {
  return omega / (1 - persistence)
}
