import type { TapeSource } from '../../market/print.ts'

/** A confidence has at most six decimals: it is computed with in whole millionths. */
const MILLION = 1e6

/** The share of classified volume that is taken to change positions, where nothing else is set. */
export const DEFAULT_CONFIDENCE = 0.43
/** The same of an inferred tape, whose sides are half as sure. */
const INFERRED_CONFIDENCE = DEFAULT_CONFIDENCE / 2

/** The share for a tape of this source; what an operator has set holds for all. */
export function confidenceFor(source: TapeSource, given: number | undefined): number {
  return given ?? (source === 'inferred' ? INFERRED_CONFIDENCE : DEFAULT_CONFIDENCE)
}

/**
 * By how many contracts the open interest of a series is taken to have changed since it was published: customer buys
 * open, customer sells close.
 *
 *     round(c * (bought - sold)), half away from zero
 *
 * Exact, as the product of decimals: with n = bought - sold and C = c in millionths it is
 * sign(n) * floor((2 C |n| + 10^6) / (2 * 10^6)). Volumes in contracts, `confidence` above 0 to 1 with at most six
 * decimals. Source: the wire contract.
 */
export function openInterestDelta(bought: number, sold: number, confidence: number): number {
  const net = bought - sold
  const size = Math.floor((2 * Math.round(MILLION * confidence) * Math.abs(net) + MILLION) / (2 * MILLION))
  return net < 0 ? 0 - size : size
}

/** Contracts taken to be open after a change since the open interest was published: never fewer than none. */
export function openInterestAfter(official: number, delta: number): number {
  return Math.max(0, official + delta)
}
