import { CALL } from '../../market/chain.ts'
import { logMoneyness } from '../log-moneyness.ts'
import { BLOCK } from '../stages.ts'
import { logSpot, volatility } from './premium-block.ts'

/** The slot that each entry of the premium block stands for. */
export const slot = new Int32Array(BLOCK)

/**
 * Puts the contracts of one right between two slots, at most a block of them, into the premium block: those with a
 * volatility. Answers how many there are.
 */
export function gatherRight(
  flag: number,
  spot: number,
  strike: Float64Array,
  right: Uint8Array,
  sigma: Float64Array,
  from: number,
  to: number
): number {
  const sign = flag === CALL ? -1 : 1
  let count = 0
  for (let i = from; i < to; i++) {
    if (right[i] !== flag || !(sigma[i] > 0)) continue
    slot[count] = i
    volatility[count] = sigma[i]
    logSpot[count] = sign * logMoneyness(spot, strike[i])
    count++
  }
  return count
}
