import { decodeTape, type RestoredTape } from '../../archive/codec/decode-tape.ts'
import type { StoredTape } from '../../archive/store.ts'
import type { Task } from './task.ts'

/** The prints of a tape of the archive, in memory that every thread can read. */
export const restoreTape: Task<{ readonly stored: StoredTape }, RestoredTape> = {
  symbol: ({ stored }) => stored.symbol,
  isBeside: true,
  run: ({ stored }) => decodeTape(stored)
}
