import { rowsOf } from '../codec/native-rows.ts'
import type { WrittenAt } from '../history-store.ts'
import type { DatabaseConnection } from './database-connection.ts'

/** A connection with the clock of the archive. */
export interface ClockedConnection extends DatabaseConnection {
  /** See `HistoryStore.clock`. */
  clock(): Promise<WrittenAt>
}

/**
 * Adds the clock. A row is stamped when its write begins and can be read when the write ends. So the clock is read
 * first, and then the writes under way are awaited: those have ended then, and every other write begins later.
 */
export function withClock(connection: DatabaseConnection): ClockedConnection {
  const underway = new Set<Promise<void>>()
  return {
    ...connection,
    insert(...rows) {
      const writing = connection.insert(...rows).finally(() => underway.delete(writing))
      underway.add(writing)
      return writing
    },
    async clock() {
      const [{ now }] = rowsOf(await connection.read('SELECT toUnixTimestamp64Micro(now64(6)) AS now'))
      await Promise.allSettled([...underway])
      return now as WrittenAt
    }
  }
}
