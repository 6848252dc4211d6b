import { CALL, type Chain, known } from '../market/chain.ts'
import { memoize } from '../market/memoize.ts'

/** Contracts, whole or in parts, by slot of a chain. */
export type ContractCounts = Int32Array | Float64Array

/**
 * What the dealers of a chain are taken to hold. Gamma, vanna and charm are computed from the position and from nothing
 * else; whatever counts contracts (max pain, put/call ratios, concentration, weights) counts the open interest of the book.
 * Columns are immutable. Another model of who holds what is another book: see `withBook`.
 */
export interface Book {
  /** Contracts open in each slot; below 0 where it is not known. */
  readonly openInterest: ContractCounts
  /**
   * Contracts the dealers hold in each slot, negative where they are short; 0 where nothing is held or known. No more than
   * are open. Gamma, vanna and charm take its sign. Delta and theta are those of the holders of what is open: they take the
   * open interest and the sign of the option.
   */
  readonly position: ContractCounts
}

/**
 * The book that most desks assume of an open interest, by slot of a chain: dealers are long the calls and short the puts.
 * Positive net gamma then means that they sell rallies and buy dips. Sources: docs/methods/exposure.md.
 */
export function bookOf({ right, size }: Pick<Chain, 'right' | 'size'>, openInterest: Int32Array): Book {
  const position = new Int32Array(size)
  for (let i = 0; i < size; i++) {
    const open = known(openInterest[i])
    position[i] = right[i] === CALL ? open : -open
  }
  return { openInterest, position }
}

/** The same of the published open interest. */
export const signConvention = memoize((chain: Chain): Book => bookOf(chain, chain.openInterest))

/** One contract of each: what an exposure is for each contract of open interest, by the sign convention. */
export const unitBook = memoize((chain: Chain): Book => bookOf(chain, new Int32Array(chain.size).fill(1)))
