import type { HistoryStore } from '../../archive/history-store.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { FilesError, filesAt } from '../import-files.ts'
import type { ImportWriter } from '../import-writer.ts'
import { endsWithinLine } from '../judged/unended-file.ts'
import type { Line } from '../tables/csv-line.ts'
import {
  eachTable,
  reportedAs,
  type TableFile,
  type TableProgress,
  type TableReader,
  tableName
} from '../tables/table-file.ts'
import { isRemark, type TableSample } from '../tables/table-opening.ts'
import { type RowReader, readTable } from '../tables/table-rows.ts'
import { type ChainReaderInput, chainReaderOf } from './chain-reader.ts'
import { type ChainRow, globalHours } from './chain-table.ts'
import { type DescribedTable, describeTable, unreadTable } from './described-table.ts'
import { LaterOpenInterest } from './later-open-interest.ts'
import { type Moment, MomentRows } from './moment-rows.ts'
import { type ExpectedAtEnd, TableEnd } from './table-end.ts'
import { writeMoments } from './write-moments.ts'
import { WrittenMoments } from './written-moments.ts'

export interface ChainTableOptions extends ChainReaderInput {
  /**
   * The archive. It supplies the day's close if the table has no price of the underlying, the chains before and after
   * those of the import, and it reads Parquet files.
   */
  readonly archive: Pick<HistoryStore, 'bars'> &
    Partial<Pick<HistoryStore, 'closingSnapshot' | 'symbols'>> &
    TableReader
  /** Time by the clock on the wall: later moments are doubted. None is if it is absent. */
  readonly wallNow?: Instant | undefined
  /** Writes what is doubted too. */
  readonly accept?: boolean | undefined
  /** Judges the files and tells what it understood, but writes nothing. */
  readonly dryRun?: boolean | undefined
  /** Symbol that is written before the others, because figures of theirs are computed from its chains. */
  readonly writtenFirst?: Ticker | undefined
  /** Maximum number of contracts of one moment of a symbol. */
  readonly maxContracts?: number
  /** Rows held in memory before they go to a temporary file. */
  readonly heldRows?: number | undefined
  /** Rows in the temporary file, and moments in memory, after which those moments that seem complete are written. */
  readonly maxFiled?: number | undefined
  readonly maxMoments?: number | undefined
  /** Number of further rows after which a moment seems complete. */
  readonly idleRows?: number | undefined
}

/** Everything that was read and is not written yet, with the faults that were found on the way. */
export interface ReadMoments {
  readonly rows: MomentRows
  readonly tables: DescribedTable[]
  /** Moments in which tables broke off, with the positions of these tables. */
  readonly cut: Map<Moment, number[]>
  /** Contracts that the tables should hold if they were not cut off. */
  readonly expected: ExpectedAtEnd[]
  readonly later: LaterOpenInterest
}

/** Also accepts zip files, which may hold several tables. */
const chainTableName = new RegExp(`${tableName.source}|\\.zip$`, 'i')

/** Default limit on the contracts of a moment; no symbol lists a fifth of them. */
const MAX_CONTRACTS = 200_000
/** Default limit on the rows in the temporary file, 136 bytes each. */
const MAX_FILED = 60_000_000
/** Default limit on the moments in memory, a few hundred bytes each. */
const MAX_MOMENTS = 400_000
/** Default number of further rows after which a moment seems complete. */
const IDLE_ROWS = 500_000
/** The share of reading in the progress of an import; the rest is writing. */
const SHARE_OF_READING = 0.3

/**
 * Imports tables of chains. The rows of a symbol at one moment become one snapshot, in whatever order and from whatever
 * table they come. All tables are read before the first snapshot is written, and each moment is judged by its own rows,
 * by its neighbours and by the archive. A moment that is doubted is set aside as a whole, unless `accept` is set.
 */
export async function importChains(
  paths: readonly string[],
  options: ChainTableOptions,
  writer: ImportWriter
): Promise<void> {
  const { maxContracts = MAX_CONTRACTS, heldRows: held } = options
  const files = await filesAt(paths, chainTableName)
  const rows = new MomentRows({ held, maxContracts })
  const read: ReadMoments = { rows, tables: [], cut: new Map(), expected: [], later: new LaterOpenInterest() }
  const size = files.reduce((sum, file) => sum + file.size, 0)
  const total = size / SHARE_OF_READING
  const written = new WrittenMoments()
  const write = async (moments: readonly Moment[]) => {
    const progress = (what: string, share: number) =>
      writer.progress(what, size + (total - size) * share, total, { read: rows.added })
    await writeMoments(moments, read, options, writer, progress)
    for (const moment of moments) {
      written.add(moment)
      rows.forget(moment)
    }
  }
  try {
    await eachTable(
      files,
      options.archive,
      writer,
      (table, progress) => readFile(table, options, { read, written, write }, writer, progress),
      total
    )
    if (!writer.signal.aborted) await write(rows.sorted())
  } finally {
    rows.close()
  }
}

interface Reading {
  readonly read: ReadMoments
  readonly written: WrittenMoments
  readonly write: (moments: readonly Moment[]) => Promise<void>
}

async function readFile(
  { path, text }: TableFile,
  options: ChainTableOptions,
  { read, written, write }: Reading,
  writer: ImportWriter,
  progress: TableProgress
): Promise<void> {
  const { rows, tables } = read
  const position = tables.length
  const table = unreadTable(path)
  tables.push(table)
  const end = new TableEnd()
  let newest: Moment | undefined
  /** Rows before the first moment that say nothing of theirs. */
  let refusedBefore = 0
  let usable = 0
  const leftOut = new Set<string>()
  const momentOf = ({ symbol, date, asOf }: Pick<ChainRow, 'symbol' | 'date' | 'asOf'>) => {
    if (newest?.symbol !== symbol || newest.asOf !== asOf) newest = rows.momentOf(symbol, date, asOf, position)
    return newest
  }
  const heading = (line: Line, sample: TableSample): RowReader<ChainRow> => {
    const reader = chainReaderOf(path, line, sample, options)
    describeTable(table, line, reader)
    const read = (row: Line) => {
      const value = reader.read(row)
      if ('leftOut' in value && value.because !== undefined) leftOut.add(value.because)
      if (!('leftOut' in value)) usable++
      if (!('wrong' in value) || isRemark(row)) return value
      if (row.count < table.columns.length) end.broken()
      // A row that says nothing of its moment belongs to those before it, otherwise to the first one.
      const place = reader.placeOf(row) ?? newest
      if (place === undefined) refusedBefore++
      else if (place !== 'outside' && !written.has(place)) momentOf(place).refused++
      return value
    }
    return { problem: reader.problem, read }
  }
  const row = (value: ChainRow, line: number) => {
    if (written.has(value)) {
      const remedy = 'sort the rows by date and keep a date in one file'
      return void writer.reject(path, line, `${value.symbol} on ${value.date} was complete before: ${remedy}`)
    }
    const moment = momentOf(value)
    moment.refused += refusedBefore
    refusedBefore = 0
    rows.add(moment, value, position, line)
    end.row(moment, value)
    return undefined
  }
  const pause = async (done: number) => {
    await progress(done, newest === undefined ? path : `${path} ${newest.date}`, rows.added)
    if (writer.signal.aborted) return false
    await makeRoom(read, options, write)
    newest = undefined
    return true
  }

  const isWhole = await readTable(text, heading, { row, pause }, reportedAs(path, writer), options.forms?.decimal)
  if (writer.signal.aborted) return
  if (usable === 0 && leftOut.size > 0 && !leftOut.has(globalHours)) {
    writer.reject(path, undefined, `none of its rows is used: they are ${[...leftOut].join(' and ')}`)
  }
  if (end.moment === undefined) return
  const ofSymbol = rows.ofSymbol(end.moment.symbol).filter((moment) => moment.tables.includes(position))
  if (!isWhole || end.isBroken) {
    for (const moment of end.doubtful(ofSymbol)) read.cut.set(moment, [...(read.cut.get(moment) ?? []), position])
  } else read.expected.push(...end.expected(ofSymbol))
  const { missingSymbol } = end
  if (missingSymbol !== undefined) {
    const reason = `the table may be cut off: on its last date it lacks ${missingSymbol}, with which the date before ends`
    writer.mark(path, undefined, reason)
  }
  table.isUnended = typeof text === 'string' && (await endsWithinLine(text))
}

/** Writes the moments to which nothing was added for a while, if there are too many rows or moments to keep. */
async function makeRoom(
  { rows }: ReadMoments,
  { maxFiled = MAX_FILED, maxMoments = MAX_MOMENTS, idleRows = IDLE_ROWS }: ChainTableOptions,
  write: Reading['write']
): Promise<void> {
  if (rows.filed <= maxFiled && rows.size <= maxMoments) return
  const idle = rows.sorted().filter(({ touched }) => touched < rows.added - idleRows)
  if (idle.length === 0) throw new FilesError('it has too many moments to sort them: sort its rows by date')
  await write(idle)
  rows.compact()
}
