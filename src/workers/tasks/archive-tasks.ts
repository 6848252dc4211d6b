import { decodeHeader, decodeSnapshot } from '../../archive/codec/decode-snapshot.ts'
import { decodeTape, type RestoredTape } from '../../archive/codec/decode-tape.ts'
import type { StoredSnapshot, StoredTape } from '../../archive/history-store.ts'
import { strikeSums } from '../../exposure/by-strike.ts'
import { type ChainHeader, chainOfRoot } from '../../market/chain.ts'
import type { StrikeSums } from '../../market/strike-sums.ts'
import type { Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { madeOf, type PricingContext, priced, type Task } from './task.ts'

interface Restored extends PricingContext {
  readonly snapshot: StoredSnapshot
}

/** Decodes and prices the chain of an archived snapshot. */
export const restoreChain: Task<Restored, PricedChain> = {
  symbol: ({ snapshot }) => snapshot.symbol,
  run: ({ snapshot, ...known }, context) => priced(decodeSnapshot(snapshot), context, known)
}

export const restoreTape: Task<{ readonly stored: StoredTape }, RestoredTape> = {
  symbol: ({ stored }) => stored.symbol,
  usesNextWorker: true,
  run: ({ stored }) => decodeTape(stored)
}

interface ReadUnderlying {
  readonly snapshot: StoredSnapshot
  /** The symbol of the snapshot, or a weekly root in it. */
  readonly symbol: Ticker
}

/**
 * Reads the underlying's data from an archived snapshot; undefined if the snapshot has no contracts under the symbol.
 */
export const readUnderlying: Task<ReadUnderlying, ChainHeader | undefined> = {
  symbol: ({ snapshot }) => snapshot.symbol,
  run: ({ snapshot, symbol }) => decodeHeader(snapshot, symbol)
}

interface Summed extends PricingContext {
  readonly snapshot: StoredSnapshot
  /** The symbol of the snapshot, or a root under which it lists contracts. */
  readonly symbol: Ticker
}

/**
 * Computes net exposure by strike for an archived snapshot whose chain nothing else needs; undefined if it lists
 * nothing under the symbol.
 */
export const sumStrikes: Task<Summed, StrikeSums | undefined> = {
  // Any worker will do: the symbol's own is busy with requests about its current chain.
  symbol: () => undefined,
  run: ({ snapshot, symbol, ...known }, context) =>
    madeOf(snapshot, context, known, (chain) => {
      const part = symbol === snapshot.symbol ? chain : chainOfRoot(chain, symbol)
      return part && strikeSums(part)
    })
}
