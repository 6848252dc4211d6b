import { type Chain, UNKNOWN } from '../../market/chain.ts'
import type { Positions } from '../tape-views.ts'
import { effectiveOpenInterest } from './effective-open-interest.ts'
import { chainSeries, NOT_LISTED, slotsOfSeries } from './slots-of-series.ts'

const names = [
  'contracts',
  'changed',
  'volume',
  'sided',
  'absoluteChange',
  'absoluteError',
  'change',
  'estimate',
  'changeSquared',
  'estimateSquared',
  'changeEstimate',
  'netSquared',
  'netChange',
  'netSquaredChangeSquared',
  'netCubedChange',
  'netFourth'
] as const

/**
 * Sums over the contracts of a session whose open interest is known on its day and on the next. For each contract,
 * `change` is the change of the published open interest, `estimate` is the change estimated at the close, and `net` is
 * what customers bought minus what they sold; all in contracts. Sums of several sessions can be added.
 */
export type SettlementSums = Readonly<Record<(typeof names)[number], number>>

export const noSettlements = Object.fromEntries(names.map((name) => [name, 0])) as SettlementSums

export function addSettlements(one: SettlementSums, other: SettlementSums): SettlementSums {
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as SettlementSums
}

/**
 * Compares the open interest estimated at the close of a session with the open interest published afterwards. `before`
 * is a chain of the session, with the open interest of the evening before. `positions` is the flow of the whole
 * session. `after` is a chain of the next session. Undefined if no open interest differs, because then nothing new was
 * published.
 */
export function settlementSums(before: Chain, positions: Positions, after: Chain): SettlementSums | undefined {
  const { openInterest: effective } = effectiveOpenInterest(before, positions)
  const net = new Float64Array(before.size)
  const sided = new Float64Array(before.size)
  for (const [k, slot] of slotsOfSeries(before, positions.series).entries()) {
    if (slot === NOT_LISTED) continue
    net[slot] = positions.bought[k] - positions.sold[k]
    sided[slot] = positions.bought[k] + positions.sold[k]
  }
  const sums: Record<(typeof names)[number], number> = { ...noSettlements }
  for (const [slot, next] of slotsOfSeries(after, chainSeries(before)).entries()) {
    const official = before.openInterest[slot]
    if (next === NOT_LISTED || official === UNKNOWN || after.openInterest[next] === UNKNOWN) continue
    const change = after.openInterest[next] - official
    const estimate = effective[slot] - official
    const n = net[slot]
    sums.contracts++
    sums.changed += change === 0 ? 0 : 1
    sums.volume += Math.max(0, before.volume[slot])
    sums.sided += sided[slot]
    sums.absoluteChange += Math.abs(change)
    sums.absoluteError += Math.abs(change - estimate)
    sums.change += change
    sums.estimate += estimate
    sums.changeSquared += change ** 2
    sums.estimateSquared += estimate ** 2
    sums.changeEstimate += change * estimate
    sums.netSquared += n ** 2
    sums.netChange += n * change
    sums.netSquaredChangeSquared += n ** 2 * change ** 2
    sums.netCubedChange += n ** 3 * change
    sums.netFourth += n ** 4
  }
  return sums.changed === 0 ? undefined : sums
}

/**
 * How close the estimated open interest came to the published open interest. A figure is undefined if the sums do not
 * determine it.
 */
export interface SettlementAccuracy {
  /** Number of contracts compared, and how many of them changed. */
  readonly contracts: number
  readonly changed: number
  /** Fraction of the sessions' volume whose side (bought or sold) is known. */
  readonly sided: number | undefined
  /**
   * Fraction of the change that the estimate explains: 1 - sum |change - estimate| / sum |change|. At most 1; 0 is as
   * good as no estimate, below 0 is worse.
   */
  readonly explained: number | undefined
  /** Pearson's correlation of estimate and change over contracts. */
  readonly correlation: number | undefined
  /**
   * The confidence (share of net volume that changes open interest) that would have fitted best: least squares, sum net
   * change / sum net^2.
   */
  readonly bestConfidence: number | undefined
  /**
   * Standard error of `bestConfidence`, robust to heteroscedasticity: sqrt(sum net^2 (change - c net)^2) / sum net^2.
   * Source: White (1980).
   */
  readonly bestConfidenceError: number | undefined
}

export function settlementAccuracy(sums: SettlementSums): SettlementAccuracy {
  const { contracts, changed, volume, sided, absoluteChange, absoluteError, netSquared } = sums
  const best = ratio(sums.netChange, netSquared)
  const squares = best && sums.netSquaredChangeSquared - 2 * best * sums.netCubedChange + best ** 2 * sums.netFourth
  const spread = (squared: number, sum: number) => contracts * squared - sum ** 2
  const both = contracts * sums.changeEstimate - sums.change * sums.estimate
  const spreads = spread(sums.changeSquared, sums.change) * spread(sums.estimateSquared, sums.estimate)
  const unexplained = ratio(absoluteError, absoluteChange)
  return {
    contracts,
    changed,
    sided: ratio(sided, volume),
    explained: unexplained === undefined ? undefined : 1 - unexplained,
    correlation: ratio(both, Math.sqrt(Math.max(0, spreads))),
    bestConfidence: best,
    bestConfidenceError: squares === undefined ? undefined : ratio(Math.sqrt(Math.max(0, squares)), netSquared)
  }
}

const ratio = (above: number, below: number) => (below > 0 ? above / below : undefined)
