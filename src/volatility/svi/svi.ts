/**
 * One expiration's smile in Gatheral's raw parameters: total variance over k = ln(K / F),
 *
 *     w(k) = a + b (ρ (k - m) + √((k - m)² + σ²))
 *
 * Unit of w, a and b: volatility squared times years. Source: Gatheral, The Volatility Surface (2006), 3.2.
 */
export interface Svi {
  readonly a: number
  readonly b: number
  readonly rho: number
  readonly m: number
  readonly sigma: number
}

/** Bounds of the SVI parameters. `steepestWing` is the greatest slope of a wing by the moment formula of Lee (2004). */
export const sviBounds = { steepestRho: 0.999, smallestSigma: 0.001, furthestM: 1.5, steepestWing: 2 } as const

/** A parameter may exceed its bound by this much, because of rounding. */
const EPSILON = 1e-12

/** Total variance w at k = ln(K / F). */
export function totalVariance({ a, b, rho, m, sigma }: Svi, k: number): number {
  const x = k - m
  return a + b * (rho * x + Math.sqrt(x * x + sigma * sigma))
}

/** Slope dw/dk of total variance at k. */
export function varianceSlope({ b, rho, m, sigma }: Svi, k: number): number {
  const x = k - m
  return b * (rho + x / Math.sqrt(x * x + sigma * sigma))
}

/** Curvature d²w/dk² of total variance at k. */
export function varianceCurvature({ b, m, sigma }: Svi, k: number): number {
  const x = k - m
  const root = Math.sqrt(x * x + sigma * sigma)
  return (b * sigma * sigma) / (root * root * root)
}

export function leastVariance({ a, b, rho, sigma }: Svi): number {
  return a + b * sigma * Math.sqrt(1 - rho * rho)
}

export function isValidSvi(svi: Svi): boolean {
  const { a, b, rho, m, sigma } = svi
  if (![a, b, rho, m, sigma].every(Number.isFinite)) return false
  const { steepestRho, smallestSigma, furthestM, steepestWing } = sviBounds
  if (b < 0 || Math.abs(rho) > steepestRho + EPSILON || sigma < smallestSigma - EPSILON) return false
  return (
    Math.abs(m) <= furthestM + EPSILON &&
    leastVariance(svi) >= -EPSILON &&
    b * (1 + Math.abs(rho)) <= steepestWing + EPSILON
  )
}

/**
 * Durrleman's function g. A slice is free of butterfly arbitrage wherever g is not negative.
 *
 *     g(k) = (1 - k w' / 2w)² - (w'² / 4)(1/w + 1/4) + w''/2
 *
 * Source: Gatheral and Jacquier (2014), Arbitrage-Free SVI Volatility Surfaces, Quantitative Finance 14(1), lemma 2.2.
 */
export function durrleman(svi: Svi, k: number): number {
  return durrlemanOf(k, totalVariance(svi, k), varianceSlope(svi, k), varianceCurvature(svi, k))
}

/** Durrleman's function at k, computed from total variance, its slope and its curvature there. */
export function durrlemanOf(k: number, w: number, slope: number, curvature: number): number {
  const tilt = 1 - (k * slope) / (2 * w)
  return tilt * tilt - 0.25 * slope * slope * (1 / w + 0.25) + 0.5 * curvature
}

/**
 * Risk-neutral density of ln(S_T / F) at k, per 1.00 of k: g(k) φ(d2) / √w. If the slice is free of butterfly arbitrage
 * everywhere, the density integrates to 1 and the mean of e^k is 1. Source: Gatheral and Jacquier (2014), section 2.
 */
export function sviDensity(svi: Svi, k: number): number {
  const w = totalVariance(svi, k)
  const d2 = -k / Math.sqrt(w) - Math.sqrt(w) / 2
  return (durrleman(svi, k) * Math.exp(-0.5 * d2 * d2)) / Math.sqrt(2 * Math.PI * w)
}
