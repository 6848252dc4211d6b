import { mkdtemp, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import yauzl from 'yauzl'
import type { Ticker } from '../../market/units.ts'
import type { FoundFile } from '../import-files.ts'
import { type ImportWriter, reasonOf } from '../import-writer.ts'
import type { ColumnMap } from './column-map.ts'
import type { TextPlace } from './line-blocks.ts'
import type { TableReport } from './table-rows.ts'

/** How files of tables are called where a folder is searched. */
export const tableName = /\.((csv|txt)(\.gz)?|parquet)$/i

/** A table of text: the file itself, one of the files in a zip, or what a Parquet file became. */
export interface TableFile {
  /** As the operator named it, for progress and report. */
  readonly path: string
  readonly text: TextPlace
  /** Bytes of the file that stand for so many bytes of the text. */
  readonly done: (read: number) => number
}

/** Writes the rows of a Parquet file as a table of text, packed where its name ends with .gz. */
export interface TableReader {
  writeTableText(parquet: string, path: string): Promise<void>
}

type TableWork = (table: TableFile) => Promise<void>

/**
 * Opens the tables of a file for the time of `work`. A Parquet file is turned into text first, by the engine that keeps the
 * history and in a temporary folder, so that its rows go the way of all others. One that cannot be read goes to the report.
 */
async function withTables(
  { path, size }: FoundFile,
  reader: TableReader,
  writer: Pick<ImportWriter, 'reject' | 'signal'>,
  work: TableWork
): Promise<void> {
  if (/\.zip$/i.test(path)) return withZip(path, writer, work)
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

/** The tables in a zip by name, read while they are unpacked: a month of all symbols would fill a disk. */
async function withZip(path: string, writer: Pick<ImportWriter, 'reject' | 'signal'>, work: TableWork): Promise<void> {
  let zip: yauzl.ZipFile
  const entries: yauzl.Entry[] = []
  try {
    zip = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false })
  } catch (error) {
    return writer.reject(path, undefined, `it cannot be read as a zip: ${reasonOf(error)}`)
  }
  try {
    for await (const entry of zip.eachEntry()) if (/\.(csv|txt)$/i.test(entry.fileName)) entries.push(entry)
    if (entries.length === 0) writer.reject(path, undefined, 'it holds no table: no .csv or .txt')
    entries.sort((a, b) => (a.fileName < b.fileName ? -1 : 1))
    let before = 0
    for (const entry of entries) {
      if (writer.signal.aborted) return
      const { fileName, compressedSize, uncompressedSize, crc32: checksum } = entry
      const [begin, share] = [before, compressedSize / Math.max(1, uncompressedSize)]
      await work({
        path: `${path}/${fileName}`,
        text: { open: () => zip.openReadStreamPromise(entry), checksum },
        done: (read) => begin + share * read
      })
      before += compressedSize
    }
  } finally {
    zip.close()
  }
}

/** How tables are to be read. */
export interface ImportTableOptions {
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
    await withTables(file, reader, writer, (table) =>
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

/** Rows that cannot be used are reported with the file as it was named. */
export function reportedAs(path: string, writer: ImportWriter): TableReport {
  return { reject: (line, reason) => writer.reject(path, line, reason), leaveOut: writer.leaveOut }
}
