import type { AcceptedSlice } from '../smile/slice.ts'
import { durrlemanOf, totalVariance, varianceCurvature, varianceSlope } from '../svi/svi.ts'
import { HALF_WIDTH, moneynessAt, NODE_STEP } from './total-variance-surface.ts'

export type ArbitrageFlag = ButterflyFlag | CalendarFlag

export interface ButterflyFlag {
  readonly kind: 'butterfly'
  readonly slice: AcceptedSlice
  /** ln(K / F) at the worst of a run of neighboring nodes with arbitrage. */
  readonly k: number
  /** The test that failed at the worst node. `value` is the curvature or Durrleman's g there. */
  readonly condition: 'd2w_dk2' | 'durrleman_g'
  readonly value: number
}

export interface CalendarFlag {
  readonly kind: 'calendar'
  readonly earlier: AcceptedSlice
  readonly later: AcceptedSlice
  readonly k: number
  /** By how much total variance at this k falls from the earlier to the later expiration, above 0. */
  readonly value: number
}

/** A curvature below 0 by less than this counts as rounding: by its formula, it cannot be negative. */
const NOISE = 1e-9
const MIN_G = -0.001
const MAX_DROP = 0.001
const MAX_SHARE = 0.05
/** Tolerance, in grid steps, within which a bound counts as lying on a node. */
const ON_NODE = 1e-9

/**
 * Finds all arbitrage in the accepted smiles of a chain. Butterfly flags come first, by expiration; then calendar
 * flags, by pair of neighboring expirations, ascending.
 */
export function arbitrageFlags(accepted: readonly AcceptedSlice[]): readonly ArbitrageFlag[] {
  const pairs = accepted.slice(1).map((later, i) => calendarFlags(accepted[i], later))
  return [...accepted.map(butterflyFlags), ...pairs].flat()
}

/**
 * Finds the nodes at which a fitted smile implies a negative density: d²w/dk² is below zero by more than rounding, or
 * Durrleman's g is below -0.001. Nodes are tested within max(0.10, 5 √w(0)) of the forward, and at least up to the
 * outermost quoted strikes. Returns the worst node of each run.
 */
export function butterflyFlags(slice: AcceptedSlice): readonly ButterflyFlag[] {
  const { svi } = slice
  const found = nodesOf(slice).map((k): ButterflyFlag | undefined => {
    const curvature = varianceCurvature(svi, k)
    const g = durrlemanOf(k, totalVariance(svi, k), varianceSlope(svi, k), curvature)
    if (curvature < -NOISE) return { kind: 'butterfly', slice, k, condition: 'd2w_dk2', value: curvature }
    return g < MIN_G ? { kind: 'butterfly', slice, k, condition: 'durrleman_g', value: g } : undefined
  })
  return worstOfRuns(found, (one, other) => one.value < other.value)
}

/**
 * Finds the nodes at which total variance falls from one expiration to the next by more than 0.001 or by more than 5 %,
 * whichever is less. The nodes are those of the later expiration. Returns the worst node of each run.
 */
export function calendarFlags(earlier: AcceptedSlice, later: AcceptedSlice): readonly CalendarFlag[] {
  const found = nodesOf(later).map((k): CalendarFlag | undefined => {
    const before = totalVariance(earlier.svi, k)
    const value = before - totalVariance(later.svi, k)
    const tolerance = Math.min(MAX_DROP, MAX_SHARE * before)
    return value > tolerance ? { kind: 'calendar', earlier, later, k, value } : undefined
  })
  return worstOfRuns(found, (one, other) => one.value > other.value)
}

/** Nodes of the surface grid near the forward, continued in equal steps to the outermost smile points. */
function nodesOf({ svi, points: { k, size } }: AcceptedSlice): readonly number[] {
  const reach = Math.min(HALF_WIDTH, Math.max(0.1, 5 * Math.sqrt(totalVariance(svi, 0))))
  const first = Math.ceil(Math.min(-reach, k[0]) / NODE_STEP - ON_NODE)
  const last = Math.floor(Math.max(reach, k[size - 1]) / NODE_STEP + ON_NODE)
  return Array.from({ length: last - first + 1 }, (_, j) => moneynessAt(first + j))
}

/** The worst flag of each run of neighboring violations. If several are equally bad, the first one. */
function worstOfRuns<Flag>(found: readonly (Flag | undefined)[], isWorse: (one: Flag, other: Flag) => boolean): Flag[] {
  const flags: Flag[] = []
  found.forEach((flag, n) => {
    if (flag === undefined) return
    const continues = n > 0 && found[n - 1] !== undefined
    if (!continues) flags.push(flag)
    else if (isWorse(flag, flags[flags.length - 1])) flags[flags.length - 1] = flag
  })
  return flags
}
