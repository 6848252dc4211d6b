import { known } from '../../market/chain.ts'
import { memoize } from '../../market/memoize.ts'
import { securityKind } from '../../market/security.ts'
import { NO_SIGMA } from '../../pricing/sources.ts'
import { strikesOf } from '../by-strike.ts'
import { expirationOfSlots, type Scope } from '../scope.ts'
import { positionFigures, zoneOf } from './position-figures.ts'

/**
 * The contracts of a scope that have greeks and have open interest or volume. The columns describe how their open
 * interest is distributed.
 */
export interface UncertainContracts {
  readonly slots: Int32Array
  /**
   * Open interest in contracts: as last settled, and the mean of the present one. Columns have the same index as
   * `slots`.
   */
  readonly settled: Float64Array
  readonly mean: Float64Array
  /** Standard deviation of the open interest for reasons of each contract alone, in contracts. */
  readonly own: Float64Array
  /** Changes that contracts have in common, by zone of an expiration and right, by expiration, by right, and by symbol. */
  readonly shared: readonly SharedChange[]
  /**
   * Number of each contract's group, from 0. Contracts with the same expiration date, strike and right form a group:
   * dealers are assumed to be on the same side in all of them.
   */
  readonly group: Int32Array
  readonly groups: number
}

/** A change that hits the contracts of one number together: by standard normal z, their open interest moves `size` z. */
export interface SharedChange {
  readonly of: Int32Array
  readonly count: number
  /** Standard deviation in contracts of open interest. */
  readonly size: Float64Array
}

/**
 * Models the present open interest of each contract as OI + a V + k V z + Σ s V y. OI is the last settled open interest
 * and V the volume of the trading session; z and y are independent and standard normal. Each contract has its own z;
 * each y is shared by the contracts of one zone, expiration, right or symbol. The figures a, k and s are those of
 * `position-figures.ts`.
 */
export const uncertainContracts = memoize((scope: Scope): UncertainContracts => {
  const { chain, book } = scope
  const slots = scope.slots.filter(
    (i) => chain.sigmaSource[i] !== NO_SIGMA && (book.openInterest[i] > 0 || chain.volume[i] > 0)
  )
  const [settled, mean, own] = [0, 1, 2].map(() => new Float64Array(slots.length))
  const group = new Int32Array(slots.length)
  const expirationOf = expirationOfSlots(chain)
  const dates = [...new Set(chain.expirations.map(({ date }) => date))]
  const dateOf = chain.expirations.map(({ date }) => dates.indexOf(date))
  const shared = [10 * dates.length, dates.length, 2, 1].map((count) => ({
    count,
    of: new Int32Array(slots.length),
    size: new Float64Array(slots.length)
  }))
  const kind = securityKind(chain.symbol)
  const { strikes, of: strikeOf } = strikesOf(chain)
  const groupOf = new Int32Array(2 * dates.length * strikes.length).fill(-1)
  let groups = 0
  slots.forEach((i, k) => {
    const at = expirationOf[i]
    const [date, right, zone] = [dateOf[at], chain.right[i], zoneOf(chain.delta[i])]
    const [open, volume] = [known(book.openInterest[i]), known(chain.volume[i])]
    const figures = positionFigures(kind, chain.carries[at].days, zone, volume)
    settled[k] = open
    mean[k] = open + figures.mean * volume
    own[k] = figures.own * volume
    const place = 2 * (date * strikes.length + strikeOf[i]) + right
    if (groupOf[place] < 0) groupOf[place] = groups++
    group[k] = groupOf[place]
    const numbers = [10 * date + 5 * right + zone, date, right, 0]
    for (const [part, { of, size }] of shared.entries()) {
      of[k] = numbers[part]
      size[k] = figures.shared[part] * volume
    }
  })
  return { slots, settled, mean, own, shared, group, groups }
})

/** Sums of `each` times `size` over the contracts of every number of a shared change. */
function sharedSums({ of, count, size }: SharedChange, each: Float64Array): Float64Array {
  const sums = new Float64Array(count)
  for (let k = 0; k < each.length; k++) sums[of[k]] += each[k] * size[k]
  return sums
}

/**
 * Variance of a sum of exposures because open interest changes: Σ (g k V)² over the contracts, and for each shared
 * change of the open interest (Σ g s V)² over the contracts that share it. g is the exposure of one contract, a number
 * for each of `slots`.
 */
export function positionVariance({ own, shared }: UncertainContracts, each: Float64Array): number {
  const alone = each.reduce((sum, g, k) => sum + (g * own[k]) ** 2, 0)
  return shared.reduce((sum, change) => sum + sumOfSquares(sharedSums(change, each)), alone)
}

export const sumOfSquares = (values: Float64Array) => values.reduce((total, value) => total + value * value, 0)
