import { aggressors, BUY, MID } from '../../market/print.ts'

/** Parts of a signal's score, or the maximum of each part. */
export interface ScoreParts {
  readonly premium: number
  readonly sizeVsOi: number
  readonly aggressor: number
  readonly sweep: number
  readonly openingBias: number
  readonly tenor: number
}

/** Maximum points of each part; they add up to 100. Source: the published API contract. */
export const scoreWeights: ScoreParts = {
  premium: 25,
  sizeVsOi: 20,
  aggressor: 15,
  sweep: 15,
  openingBias: 10,
  tenor: 15
}

const BILLION = 1e9

/**
 * Points of a part: `weight` times `u`, rounded half up. `u`, 0 to 1, is first rounded to nine decimals and multiplied
 * as a decimal, so that binary rounding never decides a half.
 */
export function pointsOf(weight: number, u: number): number {
  return Math.floor((2 * weight * Math.round(BILLION * u) + BILLION) / (2 * BILLION))
}

/**
 * A group needs more than this premium, USD, for any points of the premium part. The points are full at 80 times as
 * much, 2,000,000 USD.
 */
const MIN_PREMIUM = 25_000
const PREMIUM_RANGE = Math.log(80)

export function premiumShare(premium: number): number {
  return clamp(Math.log(premium / MIN_PREMIUM) / PREMIUM_RANGE)
}

/** Lower open interest counts as this many contracts. */
const MIN_OPEN_INTEREST = 100

/**
 * Share of the size points that a group gets: 0 if it trades 1 % of the official open interest or less, 1 if it trades
 * all of it, on a logarithmic scale.
 */
export function sizeShare(size: number, openInterest: number): number {
  return clamp(1 + Math.log10(size / Math.max(openInterest, MIN_OPEN_INTEREST)) / 2)
}

const [, ABOVE_ASK, AT_ASK, AT_BID, BELOW_BID] = aggressors.keys()

/** Contracts of a group by aggressor: five numbers from index `from` on, in the order of `aggressors`. */
interface ByAggressor {
  readonly sizes: Int32Array
  readonly from: number
}

/**
 * Share of the aggressor points that a group gets, averaged over its contracts: 1 beyond the quote, 0.8 at the bid or
 * ask, 0.4 inside the quote, 0 without a side.
 */
export function aggressorShare(side: number, size: number, { sizes, from }: ByAggressor): number {
  if (side === MID) return 0
  const through = sizes[from + (side === BUY ? ABOVE_ASK : BELOW_BID)]
  const at = sizes[from + (side === BUY ? AT_ASK : AT_BID)]
  return (10 * through + 8 * at + 4 * (size - through - at)) / (10 * size)
}

/**
 * For each side, the aggressors from the most to the least aggressive. If several aggressors have equally many
 * contracts, the first of them counts.
 */
const byAggression: Readonly<Record<number, readonly number[]>> = [
  [0, ABOVE_ASK, AT_ASK, AT_BID, BELOW_BID],
  [ABOVE_ASK, AT_ASK, 0, AT_BID, BELOW_BID],
  [BELOW_BID, AT_BID, 0, AT_ASK, ABOVE_ASK]
]

/** The aggressor with the most contracts of a group, as an index into `aggressors`. */
export function aggressorOfGroup(side: number, { sizes, from }: ByAggressor): number {
  const order = byAggression[side]
  return order.reduce((best, label) => (sizes[from + label] > sizes[from + best] ? label : best))
}

/** Share of the sweep points that a group gets. A block gets 0; a sweep gets more for more prints. */
export function sweepShare(isSweep: boolean, prints: number): number {
  return isSweep ? Math.min(1, 0.4 + 0.2 * (prints - 1)) : 0
}

/** Likely use of a series' volume: positions were mostly opened, mostly closed, or neither. */
export const openCloseBiases = ['unknown', 'opening_bias', 'closing_bias'] as const
export const UNKNOWN_BIAS = 0
export const OPENING = 1
export const CLOSING = 2

/** An imbalance of at least this counts as a lean to one side. */
const LEANING = 0.1

/** Imbalance of a series from -1 to 1: (bought - sold) / (bought + sold). 0 if both are 0. */
export function imbalanceOf(bought: number, sold: number): number {
  return bought + sold === 0 ? 0 : (bought - sold) / (bought + sold)
}

/** Index into `openCloseBiases`, from the imbalance of a series and the change of its open interest. */
export function openCloseBias(imbalance: number, delta: number): number {
  if (imbalance >= LEANING && delta > 0) return OPENING
  if (imbalance <= -LEANING && delta < 0) return CLOSING
  return UNKNOWN_BIAS
}

export function biasShare(bias: number, imbalance: number): number {
  if (bias === OPENING) return 0.5 + 0.5 * Math.min(1, imbalance / 0.5)
  return bias === CLOSING ? 0 : 0.3
}

const tenorShares = [
  [0, 0.6],
  [14, 1],
  [45, 0.8],
  [90, 0.5],
  [365, 0.3],
  [Infinity, 0.1]
] as const

/** Share of the expiry points that a group gets; `days` are calendar days to expiration. */
export function tenorShare(days: number): number {
  return tenorShares.find(([most]) => days <= most)![1]
}

export const totalScore = (parts: ScoreParts) =>
  parts.premium + parts.sizeVsOi + parts.aggressor + parts.sweep + parts.openingBias + parts.tenor

function clamp(u: number): number {
  return Math.min(1, Math.max(0, u))
}
