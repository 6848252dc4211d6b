import { known } from '../../market/chain.ts'
import { memoize } from '../../market/memoize.ts'
import { NO_SIGMA } from '../../pricing/sources.ts'
import { expirationOfSlots, type Scope } from '../scope.ts'
import { positionFigures, WIDENING } from './position-figures.ts'

/** Contracts of a scope with greeks that are open or traded, with the distribution of their open interest. */
export interface UncertainContracts {
  /** Slots of the chain, ascending. */
  readonly slots: Int32Array
  /** Settled open interest in contracts, and mean and standard deviation of the present one; same index as `slots`. */
  readonly settled: Float64Array
  readonly mean: Float64Array
  readonly deviation: Float64Array
  /**
   * Group of each contract, from 0. Contracts of one expiration date, strike and right are on one side of the market.
   */
  readonly group: Int32Array
  readonly groups: number
}

/**
 * Present open interest = OI + a V + c k V z: V is the volume of the session, z standard normal and independent between
 * contracts, a and k the mean and deviation of `position-figures.ts`, c its widening. Source: the wire contract.
 */
export const uncertainContracts = memoize((scope: Scope): UncertainContracts => {
  const { chain, book } = scope
  const slots = scope.slots.filter(
    (i) => chain.sigmaSource[i] !== NO_SIGMA && (book.openInterest[i] > 0 || chain.volume[i] > 0)
  )
  const [settled, mean, deviation] = [0, 1, 2].map(() => new Float64Array(slots.length))
  const group = new Int32Array(slots.length)
  const groupOf = new Map<string, number>()
  const expirationOf = expirationOfSlots(chain)
  slots.forEach((i, k) => {
    const at = expirationOf[i]
    const figures = positionFigures(chain.carries[at].days)
    const [open, volume] = [known(book.openInterest[i]), known(chain.volume[i])]
    settled[k] = open
    mean[k] = open + figures.mean * volume
    deviation[k] = WIDENING * figures.deviation * volume
    const name = `${chain.expirations[at].date} ${chain.strike[i]} ${chain.right[i]}`
    if (!groupOf.has(name)) groupOf.set(name, groupOf.size)
    group[k] = groupOf.get(name)!
  })
  return { slots, settled, mean, deviation, group, groups: groupOf.size }
})
