import type { TapeSource } from '../../market/print.ts'

/** Confidences have at most six decimals, so products are computed in whole millionths. */
const MILLION = 1e6

/**
 * Default confidence: the share of net volume (contracts bought minus contracts sold) that is assumed to change open
 * interest.
 */
export const DEFAULT_CONFIDENCE = 0.43
/** Default confidence for an inferred tape, whose sides are half as certain. */
const INFERRED_CONFIDENCE = DEFAULT_CONFIDENCE / 2

/** Confidence for a tape of this source; an operator's setting (`given`) applies to all sources. */
export function confidenceFor(source: TapeSource, given: number | undefined): number {
  return given ?? (source === 'inferred' ? INFERRED_CONFIDENCE : DEFAULT_CONFIDENCE)
}

/**
 * Estimated change of a series' open interest since it was published, contracts. Customers' purchases are assumed to
 * open positions, their sales to close them.
 *
 *     round(c * (bought - sold)), half away from zero
 *
 * The product is exact in decimals: with n = bought - sold and C = c in millionths it is sign(n) * floor((2 C |n| +
 * 10^6) / (2 * 10^6)). Volumes are in contracts. `confidence` (c) is above 0, at most 1, with up to six decimals.
 * Source: the published API contract.
 */
export function openInterestDelta(bought: number, sold: number, confidence: number): number {
  const net = bought - sold
  const size = Math.floor((2 * Math.round(MILLION * confidence) * Math.abs(net) + MILLION) / (2 * MILLION))
  return net < 0 ? 0 - size : size
}

/** Open interest after a change, never below 0. */
export function openInterestAfter(official: number, delta: number): number {
  return Math.max(0, official + delta)
}
