import type { Instant } from '../../market/units.ts'
import { rowsOf } from '../codec/native-rows.ts'
import type { WrittenAt } from '../history-store.ts'

/** ClickHouse's names of the export formats. */
export const databaseFormats = { csv: 'CSVWithNames', parquet: 'Parquet', arrow: 'Arrow' } as const
export type ExportFormat = keyof typeof databaseFormats

/** Connection to ClickHouse, embedded or on a server. Both get the same statements and the same bytes. */
export interface DatabaseConnection {
  /** Returns the result of a query in the Native format. Several reads may run at once, also during a write. */
  read(query: string): Promise<Uint8Array>
  run(statement: string): Promise<void>
  /** Runs statements in order and stops at the first that fails. */
  runAll(statements: readonly string[]): Promise<void>
  /** Inserts rows in the TabSeparated format. Resolves when the database has stored them. */
  insert(table: string, columns: readonly string[], rows: Uint8Array): Promise<void>
  /** Writes the result of a query into a new file, in bounded memory. */
  save(query: string, format: ExportFormat, path: string): Promise<void>
  /**
   * Converts a local Parquet file to CSV with a heading, in bounded memory. The output is compressed if `path` ends in
   * .gz. Timestamps are printed in UTC, because most files use UTC.
   */
  writeTableText(table: string, path: string): Promise<void>
  close(): Promise<void>
}

export interface ClockedConnection extends DatabaseConnection {
  clock(): Promise<WrittenAt>
}

/**
 * Adds a method `clock` to a connection. It reads the time, then waits until all running writes have ended. Rows
 * stamped before that time can then be read, and every row written later gets a later stamp. The wait is needed because
 * a row is stamped when its write begins but can be read only when the write ends.
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

/** Quotes a text for use in an SQL statement. */
export function textLiteral(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}

/** Writes a moment, in whole milliseconds, for use in an SQL statement. */
export function momentLiteral(at: Instant): string {
  return `fromUnixTimestamp64Milli(${at}, 'UTC')`
}

/**
 * Settings of an insert: decimal numbers are read as the nearest double, and one insert may touch the partitions of any
 * number of weeks. An insert is a few megabytes, which one thread parses while others do their own work; more of them
 * copy its bytes and wait for each other.
 */
export const inputSettings: Readonly<Record<string, number>> = {
  precise_float_parsing: 1,
  max_partitions_per_insert_block: 0,
  input_format_parallel_parsing: 0,
  max_insert_threads: 1,
  max_threads: 1
}
