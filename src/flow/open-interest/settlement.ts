import { type Chain, UNKNOWN } from '../../market/chain.ts'
import type { Series } from '../../market/series.ts'
import type { Positions } from '../tape-views.ts'
import { effectiveOpenInterest } from './effective-open-interest.ts'
import { NOT_LISTED, slotsOfSeries } from './slots-of-series.ts'

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
 * Sums over the contracts of a session that were listed on its day and on the next one with a known open interest. Of each
 * `change` is by how much the published open interest changed, `estimate` by how much the effective one said at the close,
 * `net` the customers' buys less their sells; in contracts. Sums of sessions add up to those of all of them.
 */
export type SettlementSums = Readonly<Record<(typeof names)[number], number>>

export const noSettlements = Object.fromEntries(names.map((name) => [name, 0])) as SettlementSums

export function addSettlements(one: SettlementSums, other: SettlementSums): SettlementSums {
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as SettlementSums
}

/**
 * Holds the open interest that the flow of a session left at its close against what was published after it. `before` is a
 * chain of the session, whose open interest is that of the evening before; `positions` the session's flow to its end;
 * `after` a chain of the next session. Undefined where no contract's open interest differs: then nothing new was published.
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
  for (const [slot, next] of slotsOfSeries(after, seriesOf(before)).entries()) {
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

/** How near the estimate of open interest came to what was published. Undefined: the sums do not say it. */
export interface SettlementAccuracy {
  /** Contracts that were compared, and those of them whose open interest changed. */
  readonly contracts: number
  readonly changed: number
  /** Share of the volume of the sessions, a fraction, that a tape holds with a side. */
  readonly sided: number | undefined
  /**
   * Share of the change that the estimate explains: 1 - sum |change - estimate| / sum |change|. At most 1; 0 is as good as
   * no estimate, less is worse than none.
   */
  readonly explained: number | undefined
  /** Pearson's correlation of estimate and change, over contracts. */
  readonly correlation: number | undefined
  /** The share of net volume that would have met the changes best: least squares, sum net change / sum net^2. */
  readonly bestConfidence: number | undefined
  /** Its standard error, with errors of any spread: sqrt(sum net^2 (change - c net)^2) / sum net^2. Source: White (1980). */
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

/** The contracts of a chain as series, by slot. */
function seriesOf({ size, expirations, strike, right }: Chain): Series {
  const expiration = new Int32Array(size)
  for (const [at, { start, end }] of expirations.entries()) expiration.fill(at, start, end)
  return { length: size, expirations, expiration, strike, right, adjusted: new Uint8Array(size) }
}
