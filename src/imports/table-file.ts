import { mkdtemp, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Ticker } from '../market/units.ts'
import type { ColumnMap } from './column-map.ts'
import type { FoundFile } from './files.ts'
import { type ImportWriter, reasonOf } from './import-writer.ts'

/** How files of tables are called where a folder is searched. */
export const tableName = /\.((csv|txt)(\.gz)?|parquet)$/i

/** A table of text: the file itself, or what a Parquet file became. */
export interface TableFile {
  /** As the operator named it, for progress and report. */
  readonly path: string
  /** Where the text lies. */
  readonly text: string
  /** Bytes of the file that stand for so many bytes of the text. */
  readonly done: (read: number) => number
}

/** Writes the rows of a Parquet file as a table of text, packed where its name ends with .gz. */
export interface TableReader {
  writeTableText(parquet: string, path: string): Promise<void>
}

/**
 * Opens a table for the time of `work`. A Parquet file is turned into text first, by the engine that keeps the history
 * and in a temporary folder, so that its rows go the way of all others. One that cannot be read goes to the report.
 */
async function withTable(
  { path, size }: FoundFile,
  reader: TableReader,
  writer: Pick<ImportWriter, 'reject'>,
  work: (table: TableFile) => Promise<void>
): Promise<void> {
  if (!/\.parquet$/i.test(path)) return work({ path, text: path, done: (read) => read })
  const folder = await mkdtemp(join(tmpdir(), 'gammawall-table-'))
  try {
    // A name of ours: the engine takes stars and braces in a path for patterns.
    const [link, text] = [join(folder, 'table.parquet'), join(folder, 'table.csv.gz')]
    await symlink(resolve(path), link)
    try {
      await reader.writeTableText(link, text)
    } catch (error) {
      return writer.reject(path, undefined, `it cannot be read as Parquet: ${firstSentence(reasonOf(error))}`)
    }
    const { size: textSize } = await stat(text)
    await work({ path, text, done: (read) => (read * size) / Math.max(1, textSize) })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** How tables are to be read. */
export interface TableOptions {
  readonly columns: ColumnMap | undefined
  /** Of every row, where the tables have no column for it. */
  readonly symbol: Ticker | undefined
  /** Reads Parquet. */
  readonly archive: TableReader
}

/** Shows how far a table is read, and of what it is told. */
export type TableProgress = (read: number, what?: string) => Promise<void>

/**
 * Opens these tables one after the other, until the writer is told to end, and tells how much of all of them is read.
 * Returns the bytes of those that were opened.
 */
export async function eachTable(
  files: readonly FoundFile[],
  reader: TableReader,
  writer: Pick<ImportWriter, 'reject' | 'progress' | 'signal'>,
  work: (table: TableFile, progress: TableProgress) => Promise<void>,
  total = files.reduce((sum, { size }) => sum + size, 0)
): Promise<number> {
  let done = 0
  for (const file of files) {
    const before = done
    await withTable(file, reader, writer, (table) =>
      work(table, (read, what = file.path) => writer.progress(what, before + table.done(read), total))
    )
    done += file.size
    if (writer.signal.aborted) break
  }
  return done
}

/** KO for KO.csv and, where `ending` is dividends, for KO_dividends.csv. Any other name says nothing. */
export function nameOfTable(path: string, ending: RegExp): string | undefined {
  const name = /([^\\/]+?)\.(?:csv|txt|parquet)(?:\.gz)?$/i.exec(path)?.[1]
  const symbol = name?.replace(new RegExp(`[_-](?:${ending.source})$`, 'i'), '')
  return symbol !== undefined && /^[A-Z0-9.^-]+$/i.test(symbol) ? symbol : undefined
}

const MAX_REASON = 200

/** The engine explains an error at length, behind its number and its kind. */
function firstSentence(text: string): string {
  const [sentence] = text.replace(/^Code: \d+\. DB::Exception: /, '').split(/\n|: While executing|\. Error:|\. \(/)
  return sentence.slice(0, MAX_REASON)
}

/** The same writer, rows that cannot be used being those of the file as it was named. */
export function reportedAs(path: string, writer: ImportWriter): Pick<ImportWriter, 'reject' | 'leaveOut'> {
  return { reject: (_text, line, reason) => writer.reject(path, line, reason), leaveOut: writer.leaveOut }
}
