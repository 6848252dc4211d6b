import type { IsoDate } from '../../src/market/units.ts'
import type { AcceptedSlice } from '../../src/volatility/smile/slice.ts'
import { interpolated } from '../../src/volatility/smile/slice.ts'
import type { SmilePoints } from '../../src/volatility/smile/smile-points.ts'
import { type Svi, totalVariance } from '../../src/volatility/svi/svi.ts'

/** A seeded stream of numbers from 0 to 1 (Lehmer, minimal standard). */
export function randomStream(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48271) % 2147483647) / 2147483647
}

interface Range {
  readonly t: number
  readonly from: number
  readonly to: number
  readonly count?: number
  readonly halfSpread?: number
  /** Added to each volatility. */
  readonly noise?: (k: number) => number
}

/** The smile points that a slice itself would quote, evenly over k. */
export function pointsOf(
  svi: Svi,
  { t, from, to, count = 60, halfSpread = 0.003, noise = () => 0 }: Range
): SmilePoints {
  const k = Float64Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1))
  const iv = k.map((x) => Math.sqrt(totalVariance(svi, x) / t) + noise(x))
  let centre = 0
  k.forEach((x, i) => {
    if (Math.abs(x) < Math.abs(k[centre])) centre = i
  })
  return {
    size: count,
    k,
    iv,
    halfSpread: new Float64Array(count).fill(halfSpread),
    strike: k.map((x) => 100 * Math.exp(x)),
    scale: iv[centre] * Math.sqrt(t)
  }
}

/** The volatility that points show at the forward. */
export function quotedCentre(points: SmilePoints, t: number): number {
  return Math.sqrt(interpolated(points, t, 0)! / t)
}

/** A slice that was accepted as it is. */
export function acceptedOf(svi: Svi, t: number, days = Math.round(365 * t), [from, to] = [-0.4, 0.3]): AcceptedSlice {
  const points = pointsOf(svi, { t, from, to })
  const listing = {
    at: 0,
    date: '2026-08-28' as IsoDate,
    root: 'TEST',
    settlement: 'pm' as const,
    days,
    t,
    forward: 100,
    points
  }
  const fit = { svi, constrained: false, anchored: false, rms: 0, refusal: undefined }
  return { ...listing, interpolatedVariance: interpolated(points, t, 0), ...fit }
}

/** A slice without curvature or lean: one volatility everywhere. */
export const flat = (sigma: number, t: number): Svi => ({ a: sigma * sigma * t, b: 0, rho: 0, m: 0, sigma: 0.1 })

/**
 * Axel Vogt's slice: within every bound of its parameters, and with a negative density around k = 0.88. Source: Gatheral
 * and Jacquier (2014), Arbitrage-Free SVI Volatility Surfaces, example 3.1, t = 1.
 */
export const vogt: Svi = { a: -0.041, b: 0.1331, rho: 0.306, m: 0.3586, sigma: 0.4153 }
