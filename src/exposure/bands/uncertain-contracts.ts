import { known } from '../../market/chain.ts'
import { memoize } from '../../market/memoize.ts'
import { NO_SIGMA } from '../../pricing/sources.ts'
import { expirationOfSlots, type Scope } from '../scope.ts'
import { positionFigures, WIDENING } from './position-figures.ts'

/** Contracts of a scope that have greeks and are open or traded, with the distribution of their open interest. */
export interface UncertainContracts {
  readonly slots: Int32Array
  /**
   * Last settled open interest in contracts, then mean and standard deviation of the present one; same index as
   * `slots`.
   */
  readonly settled: Float64Array
  readonly mean: Float64Array
  readonly deviation: Float64Array
  /**
   * Group number of each contract, from 0. Contracts that share expiration date, strike and right form a group, because
   * dealers are assumed to hold all of them on the same side.
   */
  readonly group: Int32Array
  readonly groups: number
}

/**
 * Models present open interest as OI + a V + c k V z. V is the session's volume, z is standard normal and independent
 * between contracts, a and k are the mean and deviation of `position-figures.ts`, c is `WIDENING`. Source: the wire
 * contract.
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
