import { decodeSnapshot } from '../../archive/codec/decode.ts'
import type { StoredSnapshot } from '../../archive/store.ts'
import type { Dividend } from '../../market/dividend.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { priced, type Task } from './task.ts'

interface Restored {
  readonly snapshot: StoredSnapshot
  /** Known of the underlying, see `priced`. */
  readonly dividends?: readonly Dividend[]
}

/** The chain of a snapshot of the archive, priced. */
export const restoreChain: Task<Restored, PricedChain> = {
  symbol: ({ snapshot }) => snapshot.symbol,
  run: ({ snapshot, dividends }, context) => priced(decodeSnapshot(snapshot), context, dividends)
}
