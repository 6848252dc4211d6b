import { decodeSnapshot } from '../../archive/codec/decode.ts'
import type { StoredSnapshot } from '../../archive/store.ts'
import type { DailyBar } from '../../market/bar.ts'
import type { DailyRecord } from '../../market/daily-record.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { dailyRecord } from '../../signals/daily-record.ts'
import { priced, type Task } from './task.ts'

/** The chain of a snapshot of the archive, priced. */
export const restoreChain: Task<{ readonly snapshot: StoredSnapshot }, PricedChain> = {
  symbol: ({ snapshot }) => snapshot.symbol,
  run: ({ snapshot }, context) => priced(decodeSnapshot(snapshot), context)
}

/** The daily record of a session, from the snapshot of its close and the bars up to it. */
export const makeRecord: Task<{ readonly snapshot: StoredSnapshot; readonly bars: readonly DailyBar[] }, DailyRecord> =
  {
    symbol: ({ snapshot }) => snapshot.symbol,
    run: ({ snapshot, bars }, context) => dailyRecord(priced(decodeSnapshot(snapshot), context), bars)
  }
