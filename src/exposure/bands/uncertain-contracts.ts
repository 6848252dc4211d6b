import { known } from '../../market/chain.ts'
import { memoize } from '../../market/memoize.ts'
import { NO_SIGMA } from '../../pricing/sources.ts'
import { expirationOfSlots, type Scope } from '../scope.ts'
import { positionFigures, WIDENING } from './position-figures.ts'

/**
 * The contracts of a scope that have greeks and have open interest or volume. The columns describe how their open
 * interest is distributed.
 */
export interface UncertainContracts {
  readonly slots: Int32Array
  /**
   * Open interest in contracts: as last settled, and the mean and standard deviation of the present one. Columns have
   * the same index as `slots`.
   */
  readonly settled: Float64Array
  readonly mean: Float64Array
  readonly deviation: Float64Array
  /**
   * Number of each contract's group, from 0. Contracts with the same expiration date, strike and right form a group:
   * dealers are assumed to be on the same side in all of them.
   */
  readonly group: Int32Array
  readonly groups: number
}

/**
 * Models the present open interest of each contract as OI + a V + c k V z. OI is the last settled open interest and V
 * the volume of the trading session. z is standard normal and independent between contracts. a and k are the mean and
 * deviation in `position-figures.ts`, c is `WIDENING`. Source: the published API contract.
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
