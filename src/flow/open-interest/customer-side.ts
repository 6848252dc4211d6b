import { CALL, type Chain, UNKNOWN } from '../../market/chain.ts'
import {
  type CustomerGroup,
  type CustomerSums,
  customerGroups,
  customerPairs,
  customerPowers
} from '../../market/customer-sums.ts'
import type { Positions } from '../tape-views.ts'
import { chainSeries, NOT_LISTED, slotsOfSeries } from './slots-of-series.ts'

/** A contract that traded in a session. All values are in contracts. */
export interface TradedContract {
  /** Change of the open interest that was published the next morning. */
  readonly change: number
  readonly volume: number
  /** Contracts that customers bought in the session minus those that they sold. */
  readonly net: number
}

export const noCustomers: CustomerSums = {
  contracts: 0,
  products: customerPairs.map(() => 0),
  scores: customerPowers.flatMap(() => customerPairs.map(() => 0))
}

export function customerSums(contracts: Iterable<TradedContract>): CustomerSums {
  let count = 0
  const products = [...noCustomers.products]
  const scores = [...noCustomers.scores]
  for (const { change, volume, net } of contracts) {
    if (volume <= 0) continue
    count++
    const row = [change, volume, net]
    for (const [k, [i, j]] of customerPairs.entries()) {
      products[k] += (row[i] * row[j]) / volume
      for (const power of customerPowers)
        scores[power * customerPairs.length + k] += row[i] * row[j] * (net / volume) ** power
    }
  }
  return { contracts: count, products, scores }
}

/** Sums of several sessions, the newest last; one that is `halfLife` sessions older than the newest counts half as much. */
export function decayedCustomers(sessions: readonly CustomerSums[], halfLife = HALF_LIFE): CustomerSums {
  return sessions.reduce((total, sums, k) => {
    const weight = 0.5 ** ((sessions.length - 1 - k) / halfLife)
    const plus = (to: readonly number[], more: readonly number[], by: number) => to.map((sum, i) => sum + by * more[i])
    return {
      contracts: total.contracts + sums.contracts,
      products: plus(total.products, sums.products, weight),
      scores: plus(total.scores, sums.scores, weight ** 2)
    }
  }, noCustomers)
}

/** Sessions after which a session counts half. */
const HALF_LIFE = 20
/**
 * Standard errors from 0 beyond which a slope is told: 95 % two-sided. Where the changes are shuffled it speaks in 6 %; at
 * 1.645, nominally 10 %, it would in 13 %.
 */
const SIGNIFICANT = 1.96

export interface CustomerSide {
  readonly contracts: number
  /**
   * Change of open interest for each contract that customers bought more than they sold, beyond what volume alone brings.
   * Above 0 customers of the group are long, below 0 short. Undefined if the sums do not determine it.
   */
  readonly slope: number | undefined
  /** Standard error of the slope, robust to heteroscedasticity. */
  readonly error: number | undefined
  /** The side that customers of the group are shown to be on; undefined where none is shown. */
  readonly side: 'long' | 'short' | undefined
  /** How that compares with the sign convention, by which customers are short calls and long puts. */
  readonly verdict: 'fits' | 'contradicts' | 'not_shown'
}

/**
 * The side on which the customers of a group stand, from how open interest changed after what they bought and sold. A
 * customer who buys raises open interest where customers are long, since he opens what dealers sell; where they are short
 * he closes and lowers it. Least squares of the change on volume and net, weighted by 1 / volume, with the error of
 * White (1980).
 */
export function customerSide(group: CustomerGroup, { contracts, products, scores }: CustomerSums): CustomerSide {
  const [, vv, nn, cv, cn, vn] = products
  const determinant = vv * nn - vn ** 2
  if (contracts < 3 || !(determinant > 1e-12 * vv * nn)) {
    return { contracts, slope: undefined, error: undefined, side: undefined, verdict: 'not_shown' }
  }
  const perVolume = (cv * nn - cn * vn) / determinant
  const slope = (cn * vv - cv * vn) / determinant
  const error = Math.sqrt(Math.max(0, slopeVariance({ perVolume, slope }, products, scores, determinant)))
  const side = Math.abs(slope) <= SIGNIFICANT * error ? undefined : slope > 0 ? 'long' : 'short'
  const expected = group.startsWith('calls') ? 'short' : 'long'
  return {
    contracts,
    slope,
    error,
    side,
    verdict: side === undefined ? 'not_shown' : side === expected ? 'fits' : 'contradicts'
  }
}

/** The lower right entry of (X'WX)⁻¹ M (X'WX)⁻¹, with M the sums of squared residuals times the weighted regressors. */
function slopeVariance(
  { perVolume, slope }: { readonly perVolume: number; readonly slope: number },
  [, vv, , , , vn]: readonly number[],
  scores: readonly number[],
  determinant: number
): number {
  const factors = [1, perVolume ** 2, slope ** 2, -2 * perVolume, -2 * slope, 2 * perVolume * slope]
  const [both, mixed, ofNet] = customerPowers.map((power) =>
    factors.reduce((sum, factor, k) => sum + factor * scores[power * customerPairs.length + k], 0)
  )
  const [fromVolume, fromNet] = [-vn / determinant, vv / determinant]
  return fromVolume ** 2 * both + 2 * fromVolume * fromNet * mixed + fromNet ** 2 * ofNet
}

/**
 * Traded contracts of a session by group. `before` is its closing chain, with the open interest of the evening before,
 * `after` a chain of the next session. Contracts whose open interest is unknown, or that expired, are left out.
 */
export function tradedByGroup(
  before: Chain,
  positions: Pick<Positions, 'series' | 'bought' | 'sold'>,
  after: Chain
): ReadonlyMap<CustomerGroup, readonly TradedContract[]> {
  const net = new Float64Array(before.size)
  const sided = new Float64Array(before.size)
  for (const [k, slot] of slotsOfSeries(before, positions.series).entries()) {
    if (slot === NOT_LISTED) continue
    net[slot] = positions.bought[k] - positions.sold[k]
    sided[slot] = positions.bought[k] + positions.sold[k]
  }
  const groups = new Map<CustomerGroup, TradedContract[]>(customerGroups.map((group) => [group, []]))
  for (const [slot, next] of slotsOfSeries(after, chainSeries(before)).entries()) {
    const official = before.openInterest[slot]
    if (next === NOT_LISTED || official === UNKNOWN || after.openInterest[next] === UNKNOWN) continue
    const isCall = before.right[slot] === CALL
    const isOut = isCall ? before.strike[slot] > before.spot : before.strike[slot] < before.spot
    const group = `${isCall ? 'calls' : 'puts'}_${isOut ? 'out' : 'in'}` as const
    // A chain that was taken before the last prints has less volume than they.
    const volume = Math.max(before.volume[slot], sided[slot])
    groups.get(group)!.push({ change: after.openInterest[next] - official, volume, net: net[slot] })
  }
  return groups
}
