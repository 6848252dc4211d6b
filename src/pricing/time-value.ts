import { erfcx, erfcxSlope } from '../math/normal.ts'

// The normalized Black formula. With s = σ√t, x = |ln(F/K)|, h = x/s and half = s/2, an out-of-the-money option costs
//
//    value = vega · (M(h - half) - M(h + half))        in units of D √(F K)
// where vega = exp(-(h² + s²/4)/2) / √(2π) and M(z) = √(π/2) erfcx(z/√2) is the Mills ratio. The remainder to its upper
// bound, D min(F, K), is vega · (M(half - h) + M(half + h)). Neither form loses digits in its region. Source: Jäckel
// (2015), Let's Be Rational, Wilmott 75, 40-53, whose normalized vega and erfcx form these are.

const INV_SQRT_2 = Math.SQRT1_2
const SQRT_HALF_PI = 1.2533141373155003
/** Below this total volatility, the Taylor series is more accurate than the difference of two Mills ratios. */
const SERIES_END = 0.22

/**
 * Value of an out-of-the-money option divided by vega, for h = |ln(F/K)|/s and total volatility s. s/2 - h must be
 * below √2.
 */
export function valueOverVega(h: number, s: number): number {
  return s < SERIES_END ? millsSeries(h, s) : millsDifference(h, s)
}

function millsDifference(h: number, s: number): number {
  const a = h * INV_SQRT_2
  const tau = s * (INV_SQRT_2 / 2)
  return SQRT_HALF_PI * (erfcx(a - tau) - erfcx(a + tau))
}

/**
 * Difference of two Mills ratios by their Taylor series in s, of which only odd terms remain. The derivatives of erfcx
 * follow from f' = 2 a f - 2/√π.
 */
function millsSeries(h: number, s: number): number {
  const a = h * INV_SQRT_2
  const tau = s * (INV_SQRT_2 / 2)
  const twice = a + a
  const d1 = -erfcxSlope(a)
  const d2 = 2 * erfcx(a) + twice * d1
  const d3 = 4 * d1 + twice * d2
  const d4 = 6 * d2 + twice * d3
  const d5 = 8 * d3 + twice * d4
  const d6 = 10 * d4 + twice * d5
  const d7 = 12 * d5 + twice * d6
  const d8 = 14 * d6 + twice * d7
  const d9 = 16 * d7 + twice * d8
  const d10 = 18 * d8 + twice * d9
  const d11 = 20 * d9 + twice * d10
  const u = tau * tau
  const high = d7 * (1 / 5040) + u * (d9 * (1 / 362880) + u * d11 * (1 / 39916800))
  return -2 * SQRT_HALF_PI * tau * (d1 + u * (d3 * (1 / 6) + u * (d5 * (1 / 120) + u * high)))
}

/** Difference between the price and its upper bound, divided by vega. h - s/2 must be below √2. */
export function remainderOverVega(h: number, s: number): number {
  const a = h * INV_SQRT_2
  const tau = s * (INV_SQRT_2 / 2)
  return SQRT_HALF_PI * (erfcx(tau - a) + erfcx(tau + a))
}

/**
 * Price of a European option, USD per share. Its inputs are the present values of spot and strike, S e^(-qt) and K
 * e^(-rt), then h, s and the normal density at d1. It is intrinsic value plus out-of-the-money value, so that the small
 * price of a far strike keeps all its digits.
 */
export function europeanPrice(
  isCall: boolean,
  spotPart: number,
  strikePart: number,
  h: number,
  s: number,
  density: number
): number {
  const vega = spotPart * density
  const bound = Math.min(spotPart, strikePart)
  const intrinsic = Math.max(isCall ? spotPart - strikePart : strikePart - spotPart, 0)
  if (s - 2 * h > 2) return intrinsic + (bound - vega * remainderOverVega(h, s))
  return vega === 0 ? intrinsic : intrinsic + vega * valueOverVega(h, s)
}
