import type { HistoryStore } from '../archive/store.ts'
import { session } from '../market/calendar.ts'
import { buildChain, type ChainHeader, type ContractRow, inOrder } from '../market/chain.ts'
import type { IsoDate, Ticker } from '../market/units.ts'
import { type ChainLayout, type ChainRow, chainFields, chainRowReader, missingFrom, problemOf } from './chain-table.ts'
import { type ColumnMap, layoutOf } from './column-map.ts'
import { FilesError, filesAt } from './files.ts'
import type { ImportWriter } from './import-writer.ts'
import type { Line } from './line.ts'
import { readTable } from './table.ts'
import { eachTable, reportedAs, type TableFile, type TableProgress, type TableReader, tableName } from './table-file.ts'

export interface ChainTableOptions {
  readonly columns: ColumnMap | undefined
  /** Of every row, where the tables have no column for it. */
  readonly symbol: Ticker | undefined
  /** Lends the close of a day whose table does not name the price of the underlying, and reads Parquet. */
  readonly archive: Pick<HistoryStore, 'bars'> & TableReader
  /** Contracts of one date that may be in memory. */
  readonly maxContracts?: number
}

/** The rows of one symbol on one date, as far as they were read. */
interface OpenDay {
  readonly symbol: Ticker
  readonly date: IsoDate
  readonly firstLine: number
  contracts: ContractRow[]
  /** With so many rows, contracts that came before are dropped from them. */
  limit: number
  price: number
  bid: number
  ask: number
}

/** Rows of one symbol and date that are looked through for contracts that came before: more than any symbol lists. */
const FIRST_LIMIT = 65_536
/** Contracts of one date in memory, some 200 bytes each: more than are listed on all symbols together. */
const MAX_CONTRACTS = 3_000_000

/**
 * Imports tables of end-of-day chains. Rows of one date become one snapshot for each symbol, at the close of that day; they
 * may come in any order within the date, the dates of a file one after the other. Only one date is in memory, and
 * of a contract that comes again and again its last row.
 */
export async function importChains(
  paths: readonly string[],
  options: ChainTableOptions,
  writer: ImportWriter
): Promise<void> {
  const files = await filesAt(paths, tableName)
  const written = new Set<string>()
  await eachTable(files, options.archive, writer, (table, progress) =>
    importFile(table, options, written, writer, progress)
  )
}

async function importFile(
  { path, text }: TableFile,
  { columns, symbol, archive, maxContracts = MAX_CONTRACTS }: ChainTableOptions,
  written: Set<string>,
  writer: ImportWriter,
  progress: TableProgress
): Promise<void> {
  let layout: ChainLayout = {}
  const open = new Map<Ticker, OpenDay>()
  let date: IsoDate | undefined
  /** Rows of all open days together. */
  let held = 0

  const heading = (line: Line) => {
    layout = layoutOf(line, columns, chainFields)
    return { problem: problemOf(layout, symbol), read: chainRowReader(layout, symbol) }
  }
  const close = async () => {
    for (const day of open.values()) await writeDay(path, day, layout, archive, writer)
    for (const day of open.values()) written.add(`${day.symbol} ${day.date}`)
    open.clear()
    held = 0
  }
  const row = (value: ChainRow, line: number) => {
    if (value.date === date) return add(value, line)
    return close().then(() => {
      date = value.date
      add(value, line)
    })
  }
  const add = (value: ChainRow, line: number) => {
    const { symbol, price, bid, ask, contracts } = value
    let day = open.get(symbol)
    if (day === undefined) {
      const problem = problemOfDay(value, written)
      if (problem !== undefined) return void writer.reject(path, line, problem)
      open.set(
        symbol,
        (day = { symbol, date: value.date, firstLine: line, contracts: [], limit: FIRST_LIMIT, price, bid, ask })
      )
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
  // Rows of the date at which a file breaks off may be missing.
  for (const { symbol, date, firstLine } of open.values()) {
    writer.reject(path, firstLine, `${symbol} on ${date} is not complete: the file breaks off`)
  }
}

/** Keeps the last row of each contract, and says how many rows that were too many. */
function dropRepeated(day: OpenDay): number {
  const before = day.contracts.length
  day.contracts = [...inOrder(day.contracts)]
  day.limit = Math.max(FIRST_LIMIT, 2 * day.contracts.length)
  return before - day.contracts.length
}

function problemOfDay({ symbol, date }: ChainRow, written: ReadonlySet<string>): string | undefined {
  if (session(date) === undefined) return `there was no session on ${date}`
  if (!written.has(`${symbol} ${date}`)) return undefined
  return `${symbol} on ${date} was complete before: sort the rows by date and keep a date in one file`
}

/** Makes the snapshot of a day, where the underlying has a price: of the rows, their quote, or the archive's bar. */
async function writeDay(
  path: string,
  day: OpenDay,
  layout: ChainLayout,
  archive: ChainTableOptions['archive'],
  writer: ImportWriter
): Promise<void> {
  const { symbol, date, firstLine, contracts } = day
  const asOf = session(date)!.close
  const bid = day.bid > 0 ? day.bid : undefined
  const ask = day.ask > 0 ? day.ask : undefined
  const mid = bid !== undefined && ask !== undefined && bid <= ask ? (bid + ask) / 2 : undefined
  const spot = day.price > 0 ? day.price : (mid ?? (await closeInArchive(archive, symbol, date)))
  if (spot === undefined) {
    const remedy = 'map a column to underlying_price, or import its daily bars first'
    const rows = `the ${contracts.length} contracts of ${symbol} on ${date}`
    return writer.reject(path, firstLine, `no price of the underlying for ${rows}: ${remedy}`)
  }
  const header: ChainHeader = { symbol, asOf, delay: 0, spot, quote: { bid, ask, last: spot, time: asOf } }
  const chain = buildChain(header, contracts)
  await writer.snapshot({ chain, fidelity: 'imported', missing: missingFrom(layout) })
}

async function closeInArchive(
  archive: ChainTableOptions['archive'],
  symbol: Ticker,
  date: IsoDate
): Promise<number | undefined> {
  const [bar] = await archive.bars(symbol, session(date)!.close, 1)
  return bar?.date === date && bar.close > 0 ? bar.close : undefined
}
