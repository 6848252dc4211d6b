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
    const weight = weightOf(sessions, k, halfLife)
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
const weightOf = (sessions: readonly CustomerSums[], k: number, halfLife = HALF_LIFE): number =>
  0.5 ** ((sessions.length - 1 - k) / halfLife)

/**
 * A side is told from so many sessions on. On changes that are noise, of contracts or of whole sessions, it is then told in 2 to
 * 9 % of cases; in five sessions in up to 12 %.
 */
const LEAST_SESSIONS = 8
/** 95 % two-sided, of the normal distribution. */
const NORMAL = 1.96

export interface CustomerSlope {
  /**
   * Change of open interest for each contract that customers bought more than they sold, beyond what volume alone brings.
   * Above 0 customers of the group open long, below 0 short. Undefined if the sums do not determine it.
   */
  readonly slope: number | undefined
  /** Standard error of the slope, robust to heteroscedasticity (White 1980). */
  readonly error: number | undefined
}

export interface CustomerSide extends CustomerSlope {
  /** Sessions with a traded contract of the group. */
  readonly sessions: number
  readonly contracts: number
  /** The larger of White's error and the error between sessions, whose contracts are not independent of each other. */
  readonly error: number | undefined
  /** The side that customers of the group are shown to be on; undefined where none is shown. */
  readonly side: 'long' | 'short' | undefined
  /** How that compares with the sign convention, by which customers are short calls and long puts. */
  readonly verdict: 'fits' | 'contradicts' | 'not_shown'
}

/**
 * The side on which the customers of a group stand, from how open interest changed after what they bought and sold, over
 * sessions of which the newest is the last. A customer who buys raises open interest where customers are long, since he opens
 * what dealers sell; where they are short he closes and lowers it. A side is told where the slope is beyond 95 % of Student's
 * distribution with a degree less than there are sessions.
 */
export function customerSide(group: CustomerGroup, sessions: readonly CustomerSums[]): CustomerSide {
  const total = decayedCustomers(sessions)
  const { contracts } = total
  const counted = sessions.filter((sums) => sums.contracts > 0).length
  const { slope, error: ofContracts } = customerSlope(total)
  if (slope === undefined) {
    return { sessions: counted, contracts, slope, error: undefined, side: undefined, verdict: 'not_shown' }
  }
  const error = Math.max(ofContracts!, errorBetween(sessions, total))
  const isTold = counted >= LEAST_SESSIONS && Math.abs(slope) > studentBound(counted - 1) * error
  const side = !isTold ? undefined : slope > 0 ? 'long' : 'short'
  const expected = group.startsWith('calls') ? 'short' : 'long'
  const verdict = side === undefined ? 'not_shown' : side === expected ? 'fits' : 'contradicts'
  return { sessions: counted, contracts, slope, error, side, verdict }
}

/** Least squares of the change of open interest on volume and net, weighted by 1 / volume. */
export function customerSlope({ contracts, products, scores }: CustomerSums): CustomerSlope {
  const fit = fitOf(products)
  if (contracts < 3 || fit === undefined) return { slope: undefined, error: undefined }
  return { slope: fit.slope, error: Math.sqrt(Math.max(0, slopeVariance(fit, products, scores))) }
}

interface Fit {
  readonly perVolume: number
  readonly slope: number
  readonly determinant: number
}

function fitOf([, vv, nn, cv, cn, vn]: readonly number[]): Fit | undefined {
  const determinant = vv * nn - vn ** 2
  if (!(determinant > 1e-12 * vv * nn)) return undefined
  return { perVolume: (cv * nn - cn * vn) / determinant, slope: (cn * vv - cv * vn) / determinant, determinant }
}

/** Standard error of the slope if the contracts of a session move together (Liang and Zeger 1986), for its few sessions. */
function errorBetween(sessions: readonly CustomerSums[], { products }: CustomerSums): number {
  const { perVolume, slope, determinant } = fitOf(products)!
  const [, vvOfAll, , , , vnOfAll] = products
  let count = 0
  let squares = 0
  for (const [k, sums] of sessions.entries()) {
    if (sums.contracts === 0) continue
    const [, vv, nn, cv, cn, vn] = sums.products
    const ofVolume = cv - perVolume * vv - slope * vn
    const ofNet = cn - perVolume * vn - slope * nn
    squares += ((weightOf(sessions, k) * (vvOfAll * ofNet - vnOfAll * ofVolume)) / determinant) ** 2
    count++
  }
  return count < 2 ? 0 : Math.sqrt((squares * count) / (count - 1))
}

/** The 97.5 % quantile of Student's distribution, within 0.05 from 4 degrees on (Abramowitz and Stegun 26.7.5). */
function studentBound(degrees: number): number {
  const z = NORMAL
  return z + (z ** 3 + z) / (4 * degrees) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2)
}

/** The lower right entry of (X'WX)⁻¹ M (X'WX)⁻¹, with M the sums of squared residuals times the weighted regressors. */
function slopeVariance(
  { perVolume, slope, determinant }: Fit,
  [, vv, , , , vn]: readonly number[],
  scores: readonly number[]
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
