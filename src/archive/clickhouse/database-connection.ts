import type { Instant } from '../../market/units.ts'

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
