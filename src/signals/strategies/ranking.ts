import { withinUnit } from '../../math/unit-interval.ts'
import type { StructureLeg, TradeStructure } from './structures.ts'

export interface RankedStructure extends TradeStructure {
  /** Rank among the structures that the signal proposes. The best one has rank 1. */
  readonly rank: number
  /**
   * Edge score, a whole number from 0 to 100. It combines the score of the signal with what the structure earns and how
   * liquid it is.
   */
  readonly edgeScore: number
  readonly liquidity: number
}

const MAX_LISTED = 3

/**
 * Liquidity of a leg, 0 to 1. All figures in this file are prescribed by the published API contract,
 * x-conventions.structures.
 */
export function legLiquidity({ spread, openInterest }: Pick<StructureLeg, 'spread' | 'openInterest'>): number {
  return 0.7 * Math.exp(-spread / 5) + 0.3 * Math.min(1, openInterest / 1000)
}

/** Liquidity of the least liquid leg of a structure, 0 to 1, rounded to two decimals. */
export function liquidityOf({ legs }: TradeStructure): number {
  return Math.round(100 * Math.min(...legs.map(legLiquidity))) / 100
}

/** Edge score of a structure, a whole number from 0 to 100. `score` is the score of the signal. */
export function edgeOf(structure: TradeStructure, score: number): number {
  const { credit, width, annualYield } = structure
  const earned = width === undefined ? withinUnit(annualYield! / 25) : withinUnit(credit / width / 0.33)
  return Math.round(0.6 * score + 25 * earned + 15 * liquidityOf(structure))
}

/**
 * Ranks the structures found and returns the best, at most three. Structures that occur twice count once. Undefined
 * ones, which the chain cannot provide, are skipped.
 */
export function rankedStructures(
  found: readonly (TradeStructure | undefined)[],
  score: number
): readonly RankedStructure[] {
  return byEdge(found.flatMap((structure) => (structure === undefined ? [] : [withEdge(structure, score)])))
}

/** A structure with its edge score and its liquidity, which has no rank yet. */
export type WeighedStructure = Omit<RankedStructure, 'rank'>

export function withEdge(structure: TradeStructure, score: number): WeighedStructure {
  return { ...structure, edgeScore: edgeOf(structure, score), liquidity: liquidityOf(structure) }
}

/**
 * Ranks structures by edge score, then liquidity, then earlier expiration, then lower first strike. Returns at most
 * three different ones.
 */
export function byEdge(weighed: readonly WeighedStructure[]): readonly RankedStructure[] {
  const distinct = new Map(weighed.map((structure) => [nameOf(structure), structure]))
  const order = (a: WeighedStructure, b: WeighedStructure) =>
    b.edgeScore - a.edgeScore ||
    b.liquidity - a.liquidity ||
    (a.expiry < b.expiry ? -1 : a.expiry > b.expiry ? 1 : a.legs[0].strike - b.legs[0].strike)
  const best = [...distinct.values()].sort(order).slice(0, MAX_LISTED)
  return best.map((structure, k) => ({ ...structure, rank: k + 1 }))
}

const nameOf = ({ kind, expiry, legs }: TradeStructure) => [kind, expiry, ...legs.map(({ strike }) => strike)].join(' ')

/**
 * Deltas of the short leg for three variants of a structure: the target, one step below and one step above. None is
 * below 0.05.
 */
export function variantDeltas(target: number): readonly number[] {
  return [target, Math.max(MIN_DELTA, target - VARIANT_STEP), target + VARIANT_STEP]
}

const VARIANT_STEP = 0.05
const MIN_DELTA = 0.05
