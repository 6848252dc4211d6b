import { decodeSnapshot } from '../../archive/codec/decode-snapshot.ts'
import type { StoredSnapshot } from '../../archive/history-store.ts'
import { type SettledVolumes, volumesByExpiration } from '../../flow/settled-totals.ts'
import type { Task } from './task.ts'

/** Adds up the volumes of an archived close by expiration; undefined if it has none. */
export const settledVolumes: Task<{ readonly snapshot: StoredSnapshot }, SettledVolumes | undefined> = {
  symbol: ({ snapshot }) => snapshot.symbol,
  usesNextWorker: true,
  run: ({ snapshot }) => volumesByExpiration(decodeSnapshot(snapshot))
}
