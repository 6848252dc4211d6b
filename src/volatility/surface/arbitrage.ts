import type { AcceptedSlice } from '../smile/slice.ts'
import { durrlemanOf, totalVariance, varianceCurvature, varianceSlope } from '../svi/svi.ts'
import { HALF_WIDTH, moneynessAt, NODE_STEP } from './total-variance-surface.ts'

export type ArbitrageFlag = ButterflyFlag | CalendarFlag

export interface ButterflyFlag {
  readonly kind: 'butterfly'
  readonly slice: AcceptedSlice
  /** ln(K / F) of the worst node in a run of violations. */
  readonly k: number
  /** Which test failed at the worst node, and the value it found. */
  readonly condition: 'd2w_dk2' | 'durrleman_g'
  readonly value: number
}

export interface CalendarFlag {
  readonly kind: 'calendar'
  readonly earlier: AcceptedSlice
  readonly later: AcceptedSlice
  readonly k: number
  /** Fall of total variance from the earlier to the later slice, above 0. */
  readonly value: number
}

/** Rounding error tolerated in a curvature that cannot be negative by its formula. */
const NOISE = 1e-9
const MIN_G = -0.001
const MAX_DROP = 0.001
const MAX_SHARE = 0.05
/** Tolerance, in grid steps, for a bound to count as lying on a node. */
const ON_NODE = 1e-9

/** All arbitrage flags of a chain's accepted slices: butterflies by expiration, then calendars by pair, ascending. */
export function arbitrageFlags(accepted: readonly AcceptedSlice[]): readonly ArbitrageFlag[] {
  const pairs = accepted.slice(1).map((later, i) => calendarFlags(accepted[i], later))
  return [...accepted.map(butterflyFlags), ...pairs].flat()
}

/**
 * Nodes where a slice implies a negative density: d²w/dk² below zero beyond rounding, or Durrleman's g below -0.001.
 * Tested at the surface nodes within max(0.10, 5 √w(0)) and at least as far as the outermost quoted strikes.
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
 * Nodes where total variance falls from one slice to the next by more than 0.001, or by more than 5 % of itself if that
 * is less. Tested at the nodes of the later slice.
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

/** Surface nodes near the forward, extended in the same steps to the outermost smile points. */
function nodesOf({ svi, points: { k, size } }: AcceptedSlice): readonly number[] {
  const reach = Math.min(HALF_WIDTH, Math.max(0.1, 5 * Math.sqrt(totalVariance(svi, 0))))
  const first = Math.ceil(Math.min(-reach, k[0]) / NODE_STEP - ON_NODE)
  const last = Math.floor(Math.max(reach, k[size - 1]) / NODE_STEP + ON_NODE)
  return Array.from({ length: last - first + 1 }, (_, j) => moneynessAt(first + j))
}

/** The worst flag of each run of neighboring violations; the first one wins a tie. */
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
