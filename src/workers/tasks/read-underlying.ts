import { decodeHeader } from '../../archive/codec/decode.ts'
import type { StoredSnapshot } from '../../archive/store.ts'
import type { ChainHeader } from '../../market/chain.ts'
import type { Ticker } from '../../market/units.ts'
import type { Task } from './task.ts'

interface ReadUnderlying {
  readonly snapshot: StoredSnapshot
  /** That of the snapshot, or a weekly root in it. */
  readonly symbol: Ticker
}

/** What a snapshot of the archive says of a symbol beside its options. Undefined: it lists nothing under it. */
export const readUnderlying: Task<ReadUnderlying, ChainHeader | undefined> = {
  symbol: ({ snapshot }) => snapshot.symbol,
  run: ({ snapshot, symbol }) => decodeHeader(snapshot, symbol)
}
