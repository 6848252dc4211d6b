import { mkdtemp, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import yauzl from 'yauzl'
import type { Ticker } from '../../market/units.ts'
import type { FoundFile } from '../import-files.ts'
import { type ImportWriter, reasonOf } from '../import-writer.ts'
import type { ColumnMap } from './column-map.ts'
import type { TableReport } from './table-rows.ts'
import { firstBytes, type TextPlace } from './unpacked-bytes.ts'
import { remedyFor, spreadsheetRemedy, unreadDataName } from './unread-kinds.ts'
import type { SaidForms } from './written-forms.ts'

/** Ends of the names of tables that the archive's engine converts to text, as the converted file is called. */
const converted = /\.(parquet|arrow|feather|zst)$/i
const readName = /\.((csv|txt|tsv|psv|dat|jsonl|ndjson|json)(\.(gz|zst))?|parquet|arrow|feather|dbn(\.zst)?)$/i
/** Names of the files of a folder that are imported, or refused by name. Systems and spreadsheets add some of their own. */
export const tableName = new RegExp(`^(?!\\._|~\\$).*(?:${readName.source}|${unreadDataName.source})`, 'i')

/** A table as text: a file, a file in a zip, or the text converted from another format. */
export interface TableFile {
  /** File name as the operator gave it, for progress and error reports. */
  readonly path: string
  readonly text: TextPlace
  /** Converts a number of bytes of text that were read to bytes of the operator's file, for progress reports. */
  readonly done: (read: number) => number
}

/**
 * Converts a table in Parquet (.parquet), Arrow (.arrow, .feather) or compressed by zstd (.zst) to a text file. The text
 * is gzipped if its name ends with .gz.
 */
export interface TableReader {
  writeTableText(table: string, path: string): Promise<void>
}

/** Databento's binary format: its name, or the mark at its beginning. */
const binaryName = /\.dbn(\.zst)?$/i
const binaryMark = 'DBN'
const binaryRemedy = 'it is in DBN, the binary format of Databento, which is not read: export it as CSV (encoding csv)'

type TableWork = (table: TableFile) => Promise<void>

/** Kinds of files by the bytes they begin with; the end of their name counts otherwise. */
const kinds: readonly (readonly [end: string, begin: string])[] = [
  ['parquet', 'PAR1'],
  ['arrow', 'ARROW1'],
  ['zst', '\x28\xb5\x2f\xfd'],
  ['zip', 'PK\x03\x04']
]

async function kindOf(path: string): Promise<string | undefined> {
  const begin = (await firstBytes(path, 6).catch(() => Buffer.alloc(0))).toString('latin1')
  return kinds.find(([, magic]) => begin.startsWith(magic))?.[0] ?? converted.exec(path)?.[1].toLowerCase()
}

/**
 * Opens the tables in a file while `work` runs. A file that is no text is first converted in a temporary folder, by the
 * archive's database engine. Unreadable files are reported.
 */
async function withTables(
  { path, size }: FoundFile,
  reader: TableReader,
  writer: Pick<ImportWriter, 'reject' | 'signal'>,
  work: TableWork
): Promise<void> {
  const kind = await kindOf(path)
  const remedy = await remedyFor(path)
  if (remedy !== undefined) return writer.reject(path, undefined, remedy)
  if (kind === undefined || kind === 'zst') {
    const mark = (await firstBytes(path, 3).catch(() => Buffer.alloc(0))).toString('latin1')
    if (mark === binaryMark || binaryName.test(path)) return writer.reject(path, undefined, binaryRemedy)
  }
  if (kind === 'zip' || /\.zip$/i.test(path)) return withZip(path, writer, work)
  if (kind === undefined) return work({ path, text: path, done: (read) => read })
  const folder = await mkdtemp(join(tmpdir(), 'gammawall-table-'))
  try {
    // The link gives the file a safe name: the engine reads stars and braces in a path as patterns.
    const [link, text] = [join(folder, `table.${kind}`), join(folder, kind === 'zst' ? 'table.txt' : 'table.csv.gz')]
    await symlink(resolve(path), link)
    try {
      await reader.writeTableText(link, text)
    } catch (error) {
      return writer.reject(
        path,
        undefined,
        `it cannot be read as ${kindNames[kind]}: ${firstSentence(reasonOf(error))}`
      )
    }
    const { size: textSize } = await stat(text)
    await work({ path, text, done: (read) => (read * size) / Math.max(1, textSize) })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const kindNames: Readonly<Record<string, string>> = {
  parquet: 'Parquet',
  arrow: 'Arrow',
  feather: 'Arrow',
  zst: 'zstd'
}

/** Files that systems add to a zip and that hold no data of their user. */
const sideFile = /(^|\/)(__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i
const inZip = /\.(csv|txt|tsv|psv|dat|jsonl|ndjson|json)(\.gz)?$/i
/** Files in the zips that spreadsheets are. */
const inSpreadsheet = /^(?:xl\/workbook\.xml|content\.xml|Index\/Document\.iwa)$/
const noTableInZip = 'it holds no table: no .csv or .txt'
const unreadInZip = /\.(zip|7z|rar|tar|tgz|parquet|arrow|feather|zst)$/i

/**
 * Opens the tables in a zip, in the order of their names. They are read while they are being unpacked, because an
 * unpacked month of all symbols could fill the disk.
 */
async function withZip(path: string, writer: Pick<ImportWriter, 'reject' | 'signal'>, work: TableWork): Promise<void> {
  let zip: yauzl.ZipFile
  const entries: yauzl.Entry[] = []
  let packed = 0
  let isSpreadsheet = false
  try {
    zip = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false })
  } catch (error) {
    return writer.reject(path, undefined, `it cannot be read as a zip: ${reasonOf(error)}`)
  }
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName } = entry
      if (sideFile.test(fileName)) continue
      isSpreadsheet ||= inSpreadsheet.test(fileName)
      if (inZip.test(fileName)) entries.push(entry)
      else if (unreadInZip.test(fileName)) {
        writer.reject(`${path}/${fileName}`, undefined, 'it lies packed inside a zip: unpack it first')
        packed++
      }
    }
    if (entries.length + packed === 0) writer.reject(path, undefined, isSpreadsheet ? spreadsheetRemedy : noTableInZip)
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

export interface ImportTableOptions {
  readonly columns: ColumnMap | undefined
  /** Symbol that applies to all rows if the table has no symbol column. */
  readonly symbol: Ticker | undefined
  /** How the operator said that dates, times and numbers are written. */
  readonly forms?: SaidForms | undefined
  readonly archive: TableReader
}

/** Reports how many bytes of a table's text were read so far, which date or file is being read, and the rows of all. */
export type TableProgress = (read: number, what?: string, rows?: number) => Promise<void>

/**
 * Processes tables one after another, until all are done or the job is stopped. Reports progress over all of them
 * together. Returns the number of bytes of the processed files.
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
      work(table, (read, what = file.path, rows) =>
        writer.progress(what, before + table.done(read), total, { read: rows })
      )
    )
    done += file.size
    if (writer.signal.aborted) break
  }
  return done
}

/**
 * Part of a file name that may be a symbol: KO for KO.csv and, if `ending` matches dividends, for KO_dividends.csv.
 * Undefined for other names.
 */
export function nameOfTable(path: string, ending: RegExp): string | undefined {
  const name = /([^\\/]+?)\.(?:csv|txt|tsv|psv|dat|jsonl|ndjson|json|parquet|arrow|feather)(?:\.(?:gz|zst))?$/i.exec(
    path
  )?.[1]
  const symbol = name?.replace(new RegExp(`[_-](?:${ending.source})$`, 'i'), '')
  return symbol !== undefined && /^[A-Z0-9.^-]+$/i.test(symbol) ? symbol : undefined
}

const MAX_REASON = 200

/** First sentence of the engine's long error text, without its number and type. */
function firstSentence(text: string): string {
  const [sentence] = text.replace(/^Code: \d+\. DB::Exception: /, '').split(/\n|: While executing|\. Error:|\. \(/)
  return sentence.slice(0, MAX_REASON)
}

/** Returns a report of unusable rows that names the file as the operator gave it. */
export function reportedAs(path: string, writer: ImportWriter): TableReport {
  return { reject: (line, reason) => writer.reject(path, line, reason), leaveOut: writer.leaveOut }
}
