import { ERFCX_BODY, ERFCX_SLOPE_BODY, ERFCX_SLOPE_TAIL, ERFCX_TAIL } from './erfcx-table.ts'

const BODY_END = 7
const INV_SQRT_2 = Math.SQRT1_2
const INV_SQRT_PI = 0.5641895835477563
const INV_SQRT_2PI = 0.3989422804014327
const SQRT_HALF_PI = 1.2533141373155003

/**
 * Scaled complementary error function, exp(z²) erfc(z). Relative error below 4e-16 for z >= -1.
 *
 * Below -1 it grows like 2 exp(z²) and leaves the range of doubles near -26.6; no caller here goes there.
 * Method: piecewise polynomials, see scripts/make-erfcx-table.mjs. Definition: Abramowitz and Stegun, 7.1.
 */
export function erfcx(z: number): number {
  if (z >= BODY_END) return (INV_SQRT_PI / z) * tail(ERFCX_TAIL, 1 / (z * z))
  if (z < -1) return 2 * Math.exp(z * z) - erfcx(-z)
  return body(ERFCX_BODY, z)
}

/** Minus the derivative of `erfcx`, positive, for z >= -1. Relative error below 1e-15. */
export function erfcxSlope(z: number): number {
  if (z < BODY_END) return body(ERFCX_SLOPE_BODY, z)
  const inverseSquare = 1 / (z * z)
  return INV_SQRT_PI * inverseSquare * tail(ERFCX_SLOPE_TAIL, inverseSquare)
}

/** The polynomial of the interval, 1/32 wide, that holds z; t runs from -1/2 to 1/2 across it and is exact. */
function body(table: Float64Array, z: number): number {
  const wide = 32 * z
  const interval = (wide + 32) | 0
  const t = wide - (interval - 31.5)
  const t2 = t * t
  const k = 8 * interval
  const high = table[k + 4] + t * table[k + 5] + t2 * (table[k + 6] + t * table[k + 7])
  return table[k] + (t * table[k + 1] + t2 * (table[k + 2] + t * table[k + 3] + t2 * high))
}

function tail(table: Float64Array, inverseSquare: number): number {
  let value = table[10]
  for (let n = 9; n >= 0; n--) value = table[n] + inverseSquare * value
  return value
}

/** Density of the standard normal distribution, accurate in the tail too. */
export function normalPdf(x: number): number {
  // x² alone, rounded, would cost x²/2 units in the last place: split it into an exact square and a small rest.
  if (Math.abs(x) > 40) return 0
  const coarse = Math.trunc(16 * x) / 16
  return INV_SQRT_2PI * Math.exp(-0.5 * coarse * coarse) * Math.exp(-0.5 * (x - coarse) * (x + coarse))
}

/** Probability that a standard normal variable is below x. Full relative accuracy down to the smallest doubles. */
export function normalCdf(x: number): number {
  const beyond = SQRT_HALF_PI * normalPdf(x) * erfcx(Math.abs(x) * INV_SQRT_2)
  return x > 0 ? 1 - beyond : beyond
}

/**
 * The x below which a standard normal variable lies with probability p; undefined unless 0 < p < 1.
 *
 * Relative error about 1e-15. Source: Wichura (1988), Algorithm AS 241, Applied Statistics 37, 477-484, routine PPND16.
 */
export function inverseNormal(p: number): number | undefined {
  if (!(p > 0 && p < 1)) return undefined
  const fromCentre = p - 0.5
  if (Math.abs(fromCentre) <= 0.425) return fromCentre * rational(CENTRE, 0.180625 - fromCentre * fromCentre)
  const r = Math.sqrt(-Math.log(fromCentre < 0 ? p : 1 - p))
  const x = r <= 5 ? rational(MIDDLE, r - 1.6) : rational(FAR, r - 5)
  return fromCentre < 0 ? -x : x
}

/** Ratio of two polynomials of degree 7 given by ascending coefficients. */
function rational([numerator, denominator]: readonly [readonly number[], readonly number[]], x: number): number {
  const polynomial = (coefficients: readonly number[]) => coefficients.reduceRight((sum, c) => sum * x + c, 0)
  return polynomial(numerator) / polynomial(denominator)
}

const CENTRE = [
  [
    3.387132872796366608, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125, 45921.953931549871457,
    67265.770927008700853, 33430.575583588128105, 2509.0809287301226727
  ],
  [
    1, 42.313330701600911252, 687.1870074920579083, 5394.1960214247511077, 21213.794301586595867, 39307.89580009271061,
    28729.085735721942674, 5226.495278852854561
  ]
] as const

const MIDDLE = [
  [
    1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055, 3.64784832476320460504, 1.27045825245236838258,
    0.24178072517745061177, 0.0227238449892691845833, 7.7454501427834140764e-4
  ],
  [
    1, 2.05319162663775882187, 1.6763848301838038494, 0.68976733498510000455, 0.14810397642748007459,
    0.0151986665636164571966, 5.475938084995344946e-4, 1.05075007164441684324e-9
  ]
] as const

const FAR = [
  [
    6.6579046435011037772, 5.4637849111641143699, 1.7848265399172913358, 0.29656057182850489123, 0.026532189526576123093,
    0.0012426609473880784386, 2.71155556874348757815e-5, 2.01033439929228813265e-7
  ],
  [
    1, 0.59983220655588793769, 0.13692988092273580531, 0.0148753612908506148525, 7.868691311456132591e-4,
    1.8463183175100546818e-5, 1.4215117583164458887e-7, 2.04426310338993978564e-15
  ]
] as const
