import { rowsOf } from '../codec/native-rows.ts'
import type { WrittenAt } from '../history-store.ts'
import type { DatabaseConnection } from './database-connection.ts'

/** A connection whose clock parts what was written from what is written later. */
export interface ClockedConnection extends DatabaseConnection {
  /** See `HistoryStore.clock`. */
  clock(): Promise<WrittenAt>
}

/**
 * The same connection with a clock. A row has the moment at which its write began, and can be read once that has ended; so
 * the clock is read first, and then every write is waited for that was under way by then: those have ended, and any other one
 * begins later.
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
