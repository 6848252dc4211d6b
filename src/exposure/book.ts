import { CALL, type Chain, known } from '../market/chain.ts'
import { memoize } from '../market/memoize.ts'

/** Number of contracts in each slot of a chain. Fractions of contracts are possible. */
export type ContractCounts = Int32Array | Float64Array

/**
 * An assumption about which options the dealers hold. Gamma, vanna and charm exposures use `position`. Figures that
 * count contracts (max pain, put/call ratios, concentration, weights) use `openInterest`. The arrays never change;
 * `withBook` replaces the whole book.
 */
export interface Book {
  /** Open contracts in each slot. A negative number means unknown. */
  readonly openInterest: ContractCounts
  /**
   * Contracts that dealers hold in each slot: negative if they are short, 0 if they hold none or nothing is known.
   * Never more than are open. Delta and theta exposures do not use it. They describe all option holders, so they use
   * open interest and the sign of the option.
   */
  readonly position: ContractCounts
}

/**
 * Builds the book that most trading desks assume: dealers are long all calls and short all puts in `openInterest`. If
 * net gamma is then positive, dealers sell rallies and buy dips. Sources: docs/methods/exposure.md.
 */
export function bookOf({ right, size }: Pick<Chain, 'right' | 'size'>, openInterest: Int32Array): Book {
  const position = new Int32Array(size)
  for (let i = 0; i < size; i++) {
    const open = known(openInterest[i])
    position[i] = right[i] === CALL ? open : -open
  }
  return { openInterest, position }
}

/** The default book of a chain: dealers are long the calls and short the puts of its published open interest. */
export const signConvention = memoize((chain: Chain): Book => bookOf(chain, chain.openInterest))

/**
 * Book with one open contract in every slot, in which dealers are long calls and short puts. Exposures computed with it
 * are per contract of open interest.
 */
export const unitBook = memoize((chain: Chain): Book => bookOf(chain, new Int32Array(chain.size).fill(1)))
