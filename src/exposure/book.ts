import { CALL, type Chain, known } from '../market/chain.ts'
import { memoize } from '../market/memoize.ts'

/** Numbers of contracts by slot of a chain; fractions are possible. */
export type ContractCounts = Int32Array | Float64Array

/**
 * An assumption about what the dealers of a chain hold. Gamma, vanna and charm are computed from `position`. Everything
 * that counts contracts (max pain, put/call ratios, concentration, weights) uses `openInterest`. The arrays are
 * immutable; `withBook` replaces the whole book.
 */
export interface Book {
  /** Open contracts in each slot; negative if unknown. */
  readonly openInterest: ContractCounts
  /**
   * Contracts the dealers hold in each slot: negative if they are short, 0 if they hold none or nothing is known, never
   * more than are open. Delta and theta do not use it: they describe the option holders, so they use open interest and
   * the sign of the option.
   */
  readonly position: ContractCounts
}

/**
 * Builds the book most desks assume: dealers are long the calls and short the puts of `openInterest`, given by slot.
 * Positive net gamma then means that dealers sell rallies and buy dips. Sources: docs/methods/exposure.md.
 */
export function bookOf({ right, size }: Pick<Chain, 'right' | 'size'>, openInterest: Int32Array): Book {
  const position = new Int32Array(size)
  for (let i = 0; i < size; i++) {
    const open = known(openInterest[i])
    position[i] = right[i] === CALL ? open : -open
  }
  return { openInterest, position }
}

/** Default book: dealers long the calls and short the puts of published open interest. */
export const signConvention = memoize((chain: Chain): Book => bookOf(chain, chain.openInterest))

/**
 * Book with one open contract in every slot, by the sign convention; its exposures are per contract of open interest.
 */
export const unitBook = memoize((chain: Chain): Book => bookOf(chain, new Int32Array(chain.size).fill(1)))
