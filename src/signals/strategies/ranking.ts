import { withinUnit } from '../../math/unit-interval.ts'
import type { StructureLeg, TradeStructure } from './structures.ts'

/** A structure with its place among those that a signal lists. */
export interface RankedStructure extends TradeStructure {
  /** From 1. */
  readonly rank: number
  /** A whole number, 0 to 100: the score of its signal, what it earns and how well it trades. */
  readonly edgeScore: number
  /** That of the leg that trades worst, 0 to 1, two decimals. */
  readonly liquidity: number
}

const MAX_LISTED = 3

/** How well a leg trades, 0 to 1. Source: the wire contract, x-conventions.structures, as all figures here. */
export function legLiquidity({ spread, openInterest }: Pick<StructureLeg, 'spread' | 'openInterest'>): number {
  return 0.7 * Math.exp(-spread / 5) + 0.3 * Math.min(1, openInterest / 1000)
}

/** That of the worst leg, two decimals. */
export function liquidityOf({ legs }: TradeStructure): number {
  return Math.round(100 * Math.min(...legs.map(legLiquidity))) / 100
}

/** The edge of a structure of a signal: a whole number, 0 to 100. */
export function edgeOf(structure: TradeStructure, score: number): number {
  const { credit, width, annualYield } = structure
  const earned = width === undefined ? withinUnit(annualYield! / 25) : withinUnit(credit / width / 0.33)
  return Math.round(0.6 * score + 25 * earned + 15 * liquidityOf(structure))
}

/** The best of some structures of a signal, each once, three at most. Those that the chain does not have are undefined. */
export function rankedStructures(
  found: readonly (TradeStructure | undefined)[],
  score: number
): readonly RankedStructure[] {
  return byEdge(found.flatMap((structure) => (structure === undefined ? [] : [withEdge(structure, score)])))
}

/** A structure that is not ranked yet. */
export type WeighedStructure = Omit<RankedStructure, 'rank'>

export function withEdge(structure: TradeStructure, score: number): WeighedStructure {
  return { ...structure, edgeScore: edgeOf(structure, score), liquidity: liquidityOf(structure) }
}

/** Ranked by edge, then liquidity; of equal ones the earlier expiration, then the lower first strike, comes first. */
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

/** Deltas of the short legs of variants: the target and one step either way, none below 0.05. */
export function variantDeltas(target: number): readonly number[] {
  return [target, Math.max(MIN_DELTA, target - VARIANT_STEP), target + VARIANT_STEP]
}

const VARIANT_STEP = 0.05
const MIN_DELTA = 0.05
