import type { Instant } from '../../market/units.ts'

/** Formats in which the database itself writes files for others. */
export const databaseFormats = { csv: 'CSVWithNames', parquet: 'Parquet', arrow: 'Arrow' } as const
export type ExportFormat = keyof typeof databaseFormats

/** ClickHouse, wherever it runs. The same statements and the same bytes go to all of them. */
export interface DatabaseConnection {
  /** The answer of a query in the Native format. Reads run beside each other and beside a write. */
  read(query: string): Promise<Uint8Array>
  /** A statement without an answer. */
  run(statement: string): Promise<void>
  /** Several of them, one after the other up to the first that fails. */
  runAll(statements: readonly string[]): Promise<void>
  /** Adds rows in the TabSeparated format. Resolves once the database holds them. */
  insert(table: string, columns: readonly string[], rows: Uint8Array): Promise<void>
  /** Writes the answer of a query into a file that does not exist yet, in bounded memory. */
  save(query: string, format: ExportFormat, path: string): Promise<void>
  /**
   * Writes the rows of a Parquet file of this machine as a table of text with a heading, in their order and in bounded
   * memory; packed where the name of the new file ends with .gz. Moments are printed in UTC, as most files mean them.
   */
  writeTableText(parquet: string, path: string): Promise<void>
  close(): Promise<void>
}

/** Names and texts as literals of a statement. */
export function textLiteral(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}

/** A moment in whole milliseconds as a literal of a statement. */
export function momentLiteral(at: Instant): string {
  return `fromUnixTimestamp64Milli(${at}, 'UTC')`
}

/** How rows are read from text: digits become the nearest double, moments are seconds with a fraction. */
export const inputSettings: Readonly<Record<string, number>> = {
  precise_float_parsing: 1,
  max_partitions_per_insert_block: 0
}
