import { digamma, lnGamma } from '../../math/gamma-function.ts'

export type Innovations = 'gaussian' | 'student_t'

/**
 * Parameters of GARCH(1,1), h_t = omega + alpha e²_t-1 + beta h_t-1. Innovations are normal, or Student's t scaled to a
 * variance of 1.
 */
export interface GarchModel {
  readonly omega: number
  readonly alpha: number
  readonly beta: number
  /** Degrees of freedom of Student's t, above 2; undefined for normal innovations. */
  readonly dof: number | undefined
}

/** Index of each parameter in a gradient. */
export const [OMEGA, ALPHA, BETA, DOF] = [0, 1, 2, 3]

/**
 * Limit for a product of daily variances. A logarithm is taken only when the product exceeds this limit or falls below
 * its inverse, so one call of Math.log serves many days.
 */
const LARGE = 1e100

/**
 * Returns the log-likelihood of a model. Fills `slopes` with its derivatives by omega, alpha, beta and dof; the last
 * one is 0 for normal innovations.
 */
export type GarchLikelihood = (model: GarchModel, slopes: Float64Array) => number

/**
 * Returns a function of the model: the log-likelihood of the squared residuals e²_t, if the first day has the given
 * variance.
 *
 *     normal       Σ -½ (ln 2π + ln h_t + e²_t / h_t)
 *     Student's t  Σ lnΓ((v+1)/2) - lnΓ(v/2) - ½ ln(π (v-2)) - ½ ln h_t - ½ (v+1) ln(1 + e²_t / ((v-2) h_t))
 *
 * The derivatives are exact: each day's derivative by h_t is carried back through the recursion.
 * Source: Bollerslev (1986), Generalized Autoregressive Conditional Heteroskedasticity, Journal of Econometrics 31(3),
 * 307-327; Bollerslev (1987), A Conditionally Heteroskedastic Time Series Model for Speculative Prices and Rates of
 * Return, Review of Economics and Statistics 69(3), 542-547.
 */
export function garchLikelihood(squares: Float64Array, firstVariance: number): GarchLikelihood {
  const variances = new Float64Array(squares.length)
  const inVariance = new Float64Array(squares.length)
  return (model, slopes) => {
    fillVariances(squares, firstVariance, model, variances)
    slopes.fill(0)
    const value =
      model.dof === undefined
        ? normal(squares, variances, inVariance)
        : student(squares, variances, model.dof, inVariance, slopes)
    carryBack(squares, variances, inVariance, model.beta, slopes)
    return value
  }
}

/** Variance that the model forecasts for the day after the last residual. */
export function nextVariance(squares: Float64Array, firstVariance: number, model: GarchModel): number {
  const variances = new Float64Array(squares.length + 1)
  fillVariances(squares, firstVariance, model, variances)
  return variances[squares.length]
}

function fillVariances(squares: Float64Array, first: number, model: GarchModel, variances: Float64Array): void {
  const { omega, alpha, beta } = model
  let h = first
  variances[0] = h
  for (let t = 1; t < variances.length; t++) variances[t] = h = omega + alpha * squares[t - 1] + beta * h
}

function normal(squares: Float64Array, variances: Float64Array, inVariance: Float64Array): number {
  let [product, logs, ratios] = [1, 0, 0]
  for (let t = 0; t < squares.length; t++) {
    const inverse = 1 / variances[t]
    const ratio = squares[t] * inverse
    ratios += ratio
    inVariance[t] = 0.5 * inverse * (ratio - 1)
    product *= inverse
    if (product > LARGE || product < 1 / LARGE) {
      logs += Math.log(product)
      product = 1
    }
  }
  return 0.5 * (logs + Math.log(product) - ratios - squares.length * Math.log(2 * Math.PI))
}

function student(
  squares: Float64Array,
  variances: Float64Array,
  dof: number,
  inVariance: Float64Array,
  slopes: Float64Array
): number {
  const days = squares.length
  const inverseScale = 1 / (dof - 2)
  let [product, logs] = [1, 0]
  let [tailProduct, tailLogs, tails] = [1, 0, 0]
  for (let t = 0; t < days; t++) {
    const inverse = 1 / variances[t]
    const x = squares[t] * inverse * inverseScale
    const tail = x / (1 + x)
    tails += tail
    inVariance[t] = 0.5 * inverse * ((dof + 1) * tail - 1)
    product *= inverse
    tailProduct *= 1 + x
    if (product > LARGE || product < 1 / LARGE || tailProduct > LARGE) {
      logs += Math.log(product)
      tailLogs += Math.log(tailProduct)
      product = tailProduct = 1
    }
  }
  logs += Math.log(product)
  tailLogs += Math.log(tailProduct)
  const [upper, lower] = [(dof + 1) / 2, dof / 2]
  slopes[DOF] =
    days * 0.5 * (digamma(upper) - digamma(lower) - inverseScale) - 0.5 * tailLogs + upper * inverseScale * tails
  const constant = lnGamma(upper) - lnGamma(lower) - 0.5 * Math.log(Math.PI * (dof - 2))
  return days * constant + 0.5 * logs - upper * tailLogs
}

/** Converts derivatives with respect to each day's variance into derivatives with respect to omega, alpha and beta. */
function carryBack(
  squares: Float64Array,
  variances: Float64Array,
  inVariance: Float64Array,
  beta: number,
  slopes: Float64Array
): void {
  let [carried, inOmega, inAlpha, inBeta] = [0, 0, 0, 0]
  for (let t = squares.length - 1; t > 0; t--) {
    carried = inVariance[t] + beta * carried
    inOmega += carried
    inAlpha += carried * squares[t - 1]
    inBeta += carried * variances[t - 1]
  }
  slopes[OMEGA] = inOmega
  slopes[ALPHA] = inAlpha
  slopes[BETA] = inBeta
}
