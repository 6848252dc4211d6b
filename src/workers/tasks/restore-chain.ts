import { decodeSnapshot } from '../../archive/codec/decode.ts'
import type { StoredSnapshot } from '../../archive/store.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { type KnownBeside, priced, type Task } from './task.ts'

interface Restored extends KnownBeside {
  readonly snapshot: StoredSnapshot
}

/** The chain of a snapshot of the archive, priced. */
export const restoreChain: Task<Restored, PricedChain> = {
  symbol: ({ snapshot }) => snapshot.symbol,
  run: ({ snapshot, ...known }, context) => priced(decodeSnapshot(snapshot), context, known)
}
