import type { Instant } from '../../market/units.ts'
import { rowsOf } from '../codec/native-rows.ts'
import type { WrittenAt } from '../history-store.ts'

/** Names of the database's own export formats. */
export const databaseFormats = { csv: 'CSVWithNames', parquet: 'Parquet', arrow: 'Arrow' } as const
export type ExportFormat = keyof typeof databaseFormats

/** ClickHouse, embedded or on a server. Both get the same statements and the same bytes. */
export interface DatabaseConnection {
  /** The answer of a query in the Native format. Several reads may run at once, also during a write. */
  read(query: string): Promise<Uint8Array>
  /** Runs a statement without an answer. */
  run(statement: string): Promise<void>
  /** Runs statements in order, up to the first that fails. */
  runAll(statements: readonly string[]): Promise<void>
  /** Adds rows in the TabSeparated format. Resolves when the database holds them. */
  insert(table: string, columns: readonly string[], rows: Uint8Array): Promise<void>
  /** Writes the answer of a query into a new file, in bounded memory. */
  save(query: string, format: ExportFormat, path: string): Promise<void>
  /**
   * Converts a local Parquet file to CSV with a heading, in bounded memory; compressed when the name of the new file
   * ends in .gz. Moments are printed in UTC, as most files mean them.
   */
  writeTableText(parquet: string, path: string): Promise<void>
  close(): Promise<void>
}

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

/** A name or text as a literal of a statement. */
export function textLiteral(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}

/** A moment in whole milliseconds as a literal of a statement. */
export function momentLiteral(at: Instant): string {
  return `fromUnixTimestamp64Milli(${at}, 'UTC')`
}

/** Digits become the nearest double, and one insert may touch partitions of any number of weeks. */
export const inputSettings: Readonly<Record<string, number>> = {
  precise_float_parsing: 1,
  max_partitions_per_insert_block: 0
}
