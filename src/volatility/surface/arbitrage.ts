import type { AcceptedSlice } from '../smile/slice.ts'
import { durrlemanOf, totalVariance, varianceCurvature, varianceSlope } from '../svi/svi.ts'
import { HALF_WIDTH, moneynessAt, NODE_STEP } from './total-variance-surface.ts'

/** A place where fitted smiles contradict themselves or each other. */
export type ArbitrageFlag = ButterflyFlag | CalendarFlag

export interface ButterflyFlag {
  readonly kind: 'butterfly'
  readonly slice: AcceptedSlice
  /** ln(K / F) of the worst of the neighbouring nodes that violate. */
  readonly k: number
  /** Which test fired there, and the value it saw. */
  readonly condition: 'd2w_dk2' | 'durrleman_g'
  readonly value: number
}

export interface CalendarFlag {
  readonly kind: 'calendar'
  readonly earlier: AcceptedSlice
  readonly later: AcceptedSlice
  readonly k: number
  /** How much total variance falls from the earlier to the later slice, above 0. */
  readonly value: number
}

/** Rounding of a curvature that is never negative by its formula. */
const NOISE = 1e-9
const MIN_G = -0.001
const MAX_DROP = 0.001
const MAX_SHARE = 0.05
/** A bound this near to a node, in steps, is on it. */
const ON_NODE = 1e-9

/** Every flag of the accepted slices of a chain, ascending: butterflies by expiration, then calendars by pair. */
export function arbitrageFlags(accepted: readonly AcceptedSlice[]): readonly ArbitrageFlag[] {
  const pairs = accepted.slice(1).map((later, i) => calendarFlags(accepted[i], later))
  return [...accepted.map(butterflyFlags), ...pairs].flat()
}

/**
 * Where a slice's density is negative: d²w/dk² below zero beyond noise, or Durrleman's g below -0.001. Tested at the
 * nodes of the surface within max(0.10, 5 √w(0)), which may reach beyond the quoted strikes, and to their end in any case.
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
 * Where total variance falls from one slice to the next by more than 0.001, or 5 % of itself where that is less. Tested
 * at the nodes of the later slice.
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

/** The nodes of the surface within reach, and on in the same steps to the outermost points. */
function nodesOf({ svi, points: { k, size } }: AcceptedSlice): readonly number[] {
  const reach = Math.min(HALF_WIDTH, Math.max(0.1, 5 * Math.sqrt(totalVariance(svi, 0))))
  const first = Math.ceil(Math.min(-reach, k[0]) / NODE_STEP - ON_NODE)
  const last = Math.floor(Math.max(reach, k[size - 1]) / NODE_STEP + ON_NODE)
  return Array.from({ length: last - first + 1 }, (_, j) => moneynessAt(first + j))
}

/** One flag for each run of neighbours that violate: its worst, the first in a tie. */
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
