import { CALL } from '../../market/chain.ts'
import { logMoneyness } from '../log-moneyness.ts'
import { BLOCK } from '../stages.ts'
import { logSpot, volatility } from './premium-block.ts'
import type { RightPremiums } from './right-premiums.ts'

/** The slot that each entry of the premium block stands for. */
export const slot = new Int32Array(BLOCK)
// Of each entry whose volatility is looked for: ln(F/K), the bracket of σ, and at σ European value less price and vega, USD
// per share.
export const moneyness = new Float64Array(BLOCK)
export const lower = new Float64Array(BLOCK)
export const upper = new Float64Array(BLOCK)
export const excess = new Float64Array(BLOCK)
export const vega = new Float64Array(BLOCK)

/** What becomes of a volatility that the grids do not cover: it is read at their edge, or worked out without them. */
export type OffGrid = 'edge' | 'exact'

/**
 * Puts the contracts of one right between two slots, at most a block of them, into the premium block: those with a
 * volatility. Answers how many there are.
 */
export function gatherRight(
  { low, high }: RightPremiums,
  offGrid: OffGrid,
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
    volatility[count] = offGrid === 'edge' ? Math.min(Math.max(sigma[i], low), high) : sigma[i]
    logSpot[count] = sign * logMoneyness(spot, strike[i])
    count++
  }
  return count
}
