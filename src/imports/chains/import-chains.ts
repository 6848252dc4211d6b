import type { Absence, HistoryStore } from '../../archive/history-store.ts'
import { session } from '../../market/calendar.ts'
import { buildChain, type ChainHeader, type ContractRow, inOrder, UNKNOWN } from '../../market/chain.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import { FilesError, filesAt } from '../import-files.ts'
import type { ImportWriter } from '../import-writer.ts'
import { type ColumnMap, columnLayout } from '../tables/column-map.ts'
import type { Line } from '../tables/csv-line.ts'
import {
  eachTable,
  reportedAs,
  type TableFile,
  type TableProgress,
  type TableReader,
  tableName
} from '../tables/table-file.ts'
import { type RowReader, readTable } from '../tables/table-rows.ts'
import {
  type ChainLayout,
  type ChainRow,
  chainLayoutProblem,
  chainRowReader,
  chainTableFields,
  hasFigure,
  missingFrom
} from './chain-table.ts'
import { LaterOpenInterest } from './later-open-interest.ts'
import { type VendorTable, vendorLayout, vendorOf } from './vendor-table.ts'

export interface ChainTableOptions {
  readonly columns: ColumnMap | undefined
  readonly vendor?: VendorTable | undefined
  /** Symbol that applies to all rows if the table has no symbol column. */
  readonly symbol: Ticker | undefined
  /**
   * The archive. It supplies the day's close if the table has no price of the underlying, and it reads Parquet files.
   */
  readonly archive: Pick<HistoryStore, 'bars'> & TableReader
  /** Maximum number of contracts of one date that are held in memory. */
  readonly maxContracts?: number
}

/** Rows read so far for one symbol and quote time, which become one snapshot. */
interface OpenDay {
  readonly symbol: Ticker
  readonly date: IsoDate
  readonly asOf: Instant
  readonly firstLine: number
  contracts: ContractRow[]
  /** Number of rows at which the earlier rows of repeated contracts are dropped next. */
  limit: number
  price: number
  bid: number
  ask: number
}

/** State kept across all files of the import. */
interface Progress {
  /** Symbols and times of snapshots already written. */
  readonly written: Set<string>
  readonly later: LaterOpenInterest
}

/** Also accepts zip files, which may hold several tables. */
const chainTableName = new RegExp(`${tableName.source}|\\.zip$`, 'i')

/** Number of a symbol's rows at which repeated contracts are first dropped. No symbol has that many contracts. */
const FIRST_LIMIT = 65_536
/** Default limit on the contracts of one date in memory, about 200 bytes each. All symbols together list fewer. */
const MAX_CONTRACTS = 3_000_000

/**
 * Imports tables of end-of-day chains. For each symbol, the rows of one date become one snapshot, at the close or at
 * the time stated in the rows. Rows of one date may come in any order. Dates must not be mixed, because only one date
 * is in memory. If a contract is repeated, its last row counts.
 */
export async function importChains(
  paths: readonly string[],
  options: ChainTableOptions,
  writer: ImportWriter
): Promise<void> {
  const files = await filesAt(paths, chainTableName)
  const soFar: Progress = { written: new Set(), later: new LaterOpenInterest() }
  await eachTable(files, options.archive, writer, (table, progress) =>
    importFile(table, options, soFar, writer, progress)
  )
}

async function importFile(
  { path, text }: TableFile,
  options: ChainTableOptions,
  soFar: Progress,
  writer: ImportWriter,
  progress: TableProgress
): Promise<void> {
  const { archive, maxContracts = MAX_CONTRACTS } = options
  const { written } = soFar
  let layout: ChainLayout = {}
  const open = new Map<Ticker, OpenDay>()
  let date: IsoDate | undefined
  let asOf: Instant | undefined
  let held = 0

  const heading = (line: Line) => {
    const read = readerOf(line, options)
    layout = read.layout
    return read
  }
  const close = async () => {
    for (const day of open.values()) await writeDay(path, day, layout, soFar.later, archive, writer)
    for (const { symbol, asOf } of open.values()) written.add(`${symbol} ${asOf}`)
    open.clear()
    held = 0
  }
  const row = (value: ChainRow, line: number) => {
    if (value.asOf === asOf) return add(value, line)
    return close().then(() => {
      date = value.date
      asOf = value.asOf
      add(value, line)
    })
  }
  const add = (value: ChainRow, line: number) => {
    const { symbol, date, asOf, price, bid, ask, contracts } = value
    let day = open.get(symbol)
    if (day === undefined) {
      if (written.has(`${symbol} ${asOf}`)) {
        const remedy = 'sort the rows by date and keep a date in one file'
        return void writer.reject(path, line, `${symbol} on ${date} was complete before: ${remedy}`)
      }
      day = { symbol, date, asOf, firstLine: line, contracts: [], limit: FIRST_LIMIT, price, bid, ask }
      open.set(symbol, day)
    }
    if (!(day.price > 0)) day.price = price
    if (!(day.bid > 0 && day.ask > 0)) Object.assign(day, { bid, ask })
    for (const contract of contracts) day.contracts.push(contract)
    held += contracts.length
    if (day.contracts.length >= day.limit) held -= dropRepeated(day)
    if (held > maxContracts) {
      throw new FilesError(`it has over ${maxContracts} contracts on ${date}: split it by symbol`)
    }
    return undefined
  }
  const pause = async (done: number) => {
    await progress(done, date === undefined ? path : `${path} ${date}`)
    return !writer.signal.aborted
  }

  if (await readTable(text, heading, { row, pause }, reportedAs(path, writer))) return close()
  if (writer.signal.aborted) return
  // The file ended early, so rows of its last date may be missing.
  for (const { symbol, date, firstLine } of open.values()) {
    writer.reject(path, firstLine, `${symbol} on ${date} is not complete: the file breaks off`)
  }
}

/**
 * Builds the reader for the rows below a heading. A row with too few fields is refused, because its last figure may
 * have been cut off.
 */
function readerOf(heading: Line, { columns, vendor, symbol }: ChainTableOptions) {
  const layout = vendor === undefined ? columnLayout(heading, columns, chainTableFields) : vendorLayout(heading, vendor)
  const read = chainRowReader(layout, { ...vendor, symbol })
  const fields = heading.count
  const reader: RowReader<ChainRow> = {
    problem: headingProblem(heading, layout, { columns, vendor, symbol }),
    read: (line) => (line.count < fields ? { wrong: `it breaks off: ${line.count} of ${fields} fields` } : read(line))
  }
  return { layout, ...reader }
}

function headingProblem(
  heading: Line,
  layout: ChainLayout,
  { columns, vendor, symbol }: Pick<ChainTableOptions, 'columns' | 'vendor' | 'symbol'>
): string | undefined {
  const problem = chainLayoutProblem(layout, symbol)
  if (problem === undefined || columns !== undefined) return problem
  if (vendor !== undefined) return `${problem}: say it with --symbol`
  const known = vendorOf(heading)
  return known === undefined ? problem : `${problem}; its heading is that of ${known}: use --map ${known}`
}

/** Keeps only the last row of each contract; returns how many rows were dropped. */
function dropRepeated(day: OpenDay): number {
  const before = day.contracts.length
  day.contracts = [...inOrder(day.contracts)]
  day.limit = Math.max(FIRST_LIMIT, 2 * day.contracts.length)
  return before - day.contracts.length
}

/**
 * Writes the snapshot of a day. The spot is the price in the rows, otherwise the midpoint of the underlying's quote,
 * otherwise the close in the archive. Without any of them the day is refused.
 */
async function writeDay(
  path: string,
  day: OpenDay,
  layout: ChainLayout,
  later: LaterOpenInterest,
  archive: ChainTableOptions['archive'],
  writer: ImportWriter
): Promise<void> {
  const { symbol, date, asOf, firstLine, contracts } = day
  const bid = day.bid > 0 ? day.bid : undefined
  const ask = day.ask > 0 ? day.ask : undefined
  const mid = bid !== undefined && ask !== undefined && bid <= ask ? (bid + ask) / 2 : undefined
  const stated = day.price > 0 ? day.price : mid
  const isZero = [day.price, day.bid, day.ask].includes(0)
  const spot = stated ?? (isZero ? undefined : await closeInArchive(archive, symbol, date, asOf))
  if (spot === undefined) {
    const rows = `the ${contracts.length} contracts of ${symbol} on ${date}`
    const remedy = isZero
      ? 'it is 0, as in files of indexes that hold none: import its daily bars and map no column to the underlying'
      : 'map a column to underlying_price, or import its daily bars first'
    return writer.reject(path, firstLine, `no price of the underlying for ${rows}: ${remedy}`)
  }
  const missing = missingFrom(layout)
  const header: ChainHeader = { symbol, asOf, delay: 0, spot, quote: { bid, ask, last: spot, time: asOf } }
  const snapshot = (rows: readonly ContractRow[], more: readonly Absence[] = []) =>
    writer.snapshot({ chain: buildChain(header, rows), fidelity: 'imported', missing: [...missing, ...more] })
  if (!hasFigure(layout, 'open_interest_after')) return snapshot(contracts)
  const known = later.known(symbol, date, contracts)
  if (known !== undefined) return snapshot(known)
  const unknown = contracts.map((contract) => ({ ...contract, openInterest: UNKNOWN }))
  return snapshot(unknown, ['open_interest'])
}

async function closeInArchive(
  archive: ChainTableOptions['archive'],
  symbol: Ticker,
  date: IsoDate,
  asOf: Instant
): Promise<number | undefined> {
  const { close } = session(date)!
  if (asOf < close) return undefined // the close was not known yet
  const [bar] = await archive.bars(symbol, close, 1)
  return bar?.date === date && bar.close > 0 ? bar.close : undefined
}
