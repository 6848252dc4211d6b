import { ERFCX_BODY, ERFCX_SLOPE_BODY, ERFCX_SLOPE_TAIL, ERFCX_TAIL } from './erfcx-table.ts'

const BODY_END = 7
const INV_SQRT_2 = Math.SQRT1_2
const INV_SQRT_PI = 0.5641895835477563
const INV_SQRT_2PI = 0.3989422804014327
const SQRT_HALF_PI = 1.2533141373155003

/**
 * Scaled complementary error function: exp(z²) erfc(z). The relative error is below 4e-16 for z >= -1. Below -1 it
 * grows like 2 exp(z²), and near -26.6 it is too large for a double. No caller uses such z.
 * Method: piecewise polynomials, see scripts/make-erfcx-table.mjs. Definition: Abramowitz and Stegun, 7.1.
 */
export function erfcx(z: number): number {
  if (z >= BODY_END) return (INV_SQRT_PI / z) * tail(ERFCX_TAIL, 1 / (z * z))
  if (z < -1) return 2 * Math.exp(z * z) - erfcx(-z)
  return body(ERFCX_BODY, z)
}

/** Minus the derivative of `erfcx`, for z >= -1. It is positive. The relative error is below 1e-15. */
export function erfcxSlope(z: number): number {
  if (z < BODY_END) return body(ERFCX_SLOPE_BODY, z)
  const inverseSquare = 1 / (z * z)
  return INV_SQRT_PI * inverseSquare * tail(ERFCX_SLOPE_TAIL, inverseSquare)
}

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

/** Density of the standard normal distribution, with full relative accuracy in the tails too. */
export function normalPdf(x: number): number {
  // Rounding x² alone would cost x²/2 units in the last place: split it into an exact square and a small rest.
  if (Math.abs(x) > 40) return 0
  const coarse = Math.trunc(16 * x) / 16
  return INV_SQRT_2PI * Math.exp(-0.5 * coarse * coarse) * Math.exp(-0.5 * (x - coarse) * (x + coarse))
}

/**
 * Probability that a standard normal variable is below x. It keeps full relative accuracy in the tails, down to the
 * smallest doubles.
 */
export function normalCdf(x: number): number {
  const beyond = SQRT_HALF_PI * normalPdf(x) * erfcx(Math.abs(x) * INV_SQRT_2)
  return x > 0 ? 1 - beyond : beyond
}

/**
 * Inverse of the normal distribution: the x below which a standard normal variable lies with probability `p`. The
 * relative error is about 1e-15. Undefined unless 0 < p < 1.
 * Source: Wichura (1988), Algorithm AS 241, Applied Statistics 37, 477-484, routine PPND16.
 */
export function inverseNormal(p: number): number | undefined {
  if (!(p > 0 && p < 1)) return undefined
  const fromCentre = p - 0.5
  if (Math.abs(fromCentre) <= 0.425) return fromCentre * rational(CENTRE, 0.180625 - fromCentre * fromCentre)
  const r = Math.sqrt(-Math.log(fromCentre < 0 ? p : 1 - p))
  const x = r <= 5 ? rational(MIDDLE, r - 1.6) : rational(FAR, r - 5)
  return fromCentre < 0 ? -x : x
}

function rational([numerator, denominator]: readonly [readonly number[], readonly number[]], x: number): number {
  const polynomial = (coefficients: readonly number[]) => coefficients.reduceRight((sum, c) => sum * x + c, 0)
  return polynomial(numerator) / polynomial(denominator)
}

const CENTRE = [
  [
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
    33430.57558358813, 2509.0809287301227
  ],
  [
    1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
    28729.085735721943, 5226.495278852854
  ]
] as const

const MIDDLE = [
  [
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
    0.2417807251774506, 0.022723844989269184, 0.0007745450142783414
  ],
  [
    1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
    0.0005475938084995345, 1.0507500716444169e-9
  ]
] as const

const FAR = [
  [
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
    0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7
  ],
  [
    1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 1.8463183175100548e-5,
    1.421511758316446e-7, 2.0442631033899397e-15
  ]
] as const
