import { decodeSnapshot } from '../../archive/codec/decode.ts'
import type { StoredSnapshot } from '../../archive/store.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { priced, type Task } from './task.ts'

/** The chain of a snapshot of the archive, priced. */
export const restoreChain: Task<{ readonly snapshot: StoredSnapshot }, PricedChain> = {
  symbol: ({ snapshot }) => snapshot.symbol,
  run: ({ snapshot }, context) => priced(decodeSnapshot(snapshot), context)
}
