import { easternDate } from '../../market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import { lastClosed } from '../closing.ts'
import type { StoredContracts } from '../codec/contract-list.ts'
import { rowsOf } from '../codec/native-rows.ts'
import type { StoredSnapshotRow } from '../codec/snapshot-row.ts'
import { instantField, rowBytes, rowText, textField } from '../codec/tab-separated.ts'
import type { HeldMoment, HistoryStore } from '../history-store.ts'
import { selectCoverage, selectGaps } from './coverage-queries.ts'
import { insertCustomers, selectCustomers } from './customer-queries.ts'
import {
  type DatabaseConnection,
  type ExportFormat,
  momentLiteral,
  textLiteral,
  withClock
} from './database-connection.ts'
import {
  insertBars,
  insertRecords,
  selectBandErrors,
  selectBars,
  selectDaysVersion,
  selectRecords
} from './day-queries.ts'
import { deleteSessions, deleteSnapshots, deleteTape } from './delete-rows.ts'
import { insertDividends, selectDividends } from './dividend-queries.ts'
import { insertEarnings, insertEventRecords, selectEarnings, selectEventRecords } from './earnings-queries.ts'
import {
  type FigureExportRequest,
  figureQuery,
  insertFigures,
  selectFigures,
  selectStrikes,
  selectWaitingDays
} from './figure-queries.ts'
import type { FigureVersions } from './figure-state.ts'
import { insertPressure, selectPressure, selectPressureAt } from './pressure-queries.ts'
import { unrolled } from './schema/archive-views.ts'
import { ChainSnapshots, type HeldSnapshot } from './snapshots.ts'
import { insertSplits, selectSplits } from './split-queries.ts'
import { insertTapes, selectTape, selectTapeHead, tapedSessions, tapedSymbols } from './tape-queries.ts'
import { insertZeroDte, selectNewestSamples, selectSamples, selectStrikeMinutes } from './zero-dte-queries.ts'

/** Request to export the quotes in a symbol's snapshots taken in [from, to). */
export interface ExportRequest {
  readonly symbol: Ticker
  readonly from: Instant
  readonly to: Instant
  readonly format: ExportFormat
}

/** Request to export a symbol's option prints of the sessions `from` to `to`, both included. */
export interface PrintExportRequest {
  readonly symbol: Ticker
  readonly from: IsoDate
  readonly to: IsoDate
  readonly format: ExportFormat
}

/** The archive in ClickHouse, with additional methods for the service that owns it. */
export interface DatabaseStore extends HistoryStore {
  /** Writes one row for each contract of each snapshot into a new file, in bounded memory. */
  exportQuotes(request: ExportRequest, path: string): Promise<void>
  /** Writes one row for each option print or cancel, in the order in which they became known. */
  exportPrints(request: PrintExportRequest, path: string): Promise<void>
  /**
   * Writes figures computed from each snapshot, such as gamma exposure, into a new file. A snapshot whose figures are
   * missing or outdated gets no row.
   */
  exportFigures(request: FigureExportRequest, path: string): Promise<void>
  heldSnapshots(symbol: Ticker, session: IsoDate): Promise<readonly HeldSnapshot[]>
  /** Snapshots of a session from `from` to `to`, both included, ascending. */
  snapshotRows(symbol: Ticker, session: IsoDate, from: Instant, to: Instant): Promise<readonly StoredSnapshotRow[]>
  /**
   * Reads a contract list (the contracts that many snapshots share) by its id. Rejects if the archive has no such list.
   */
  contractList(symbol: Ticker, session: IsoDate, series: string): Promise<StoredContracts>
  /**
   * Text that changes whenever daily bars, records, dividends or splits are written; undefined if that cannot be determined.
   */
  daysVersion(): Promise<string | undefined>
  writeTableText(table: string, path: string): Promise<void>
}

export interface FormulaVersions extends FigureVersions {
  readonly recordVersion: number
}

/** Creates the archive on a connection whose tables are up to date. */
export function clickhouseStore(
  given: DatabaseConnection,
  { recordVersion, ...versions }: FormulaVersions
): DatabaseStore {
  const connection = withClock(given)
  const snapshots = new ChainSnapshots(connection)
  const rows = async (query: string) => rowsOf(await connection.read(query))

  return {
    writeSnapshots: (written) => snapshots.write(written),
    writeBars: (symbol, bars, fidelity) => insertBars(connection, symbol, bars, fidelity),
    writeRecords: (symbol, records) => insertRecords(connection, symbol, records, recordVersion),
    writeDividends: (symbol, dividends) => insertDividends(connection, symbol, dividends),
    writeSplits: (symbol, splits) => insertSplits(connection, symbol, splits),
    writeEarnings: (statements) => insertEarnings(connection, statements),
    writeEventRecords: (symbol, records) => insertEventRecords(connection, symbol, records),
    writeTapes: (text) => insertTapes(connection, text),
    writeZeroDte: (rows) => insertZeroDte(connection, rows),
    writePressure: (rows) => insertPressure(connection, rows),
    writeCustomers: (rows) => insertCustomers(connection, rows),
    clock: () => connection.clock(),
    writeFigures: (rows, knownAt) => insertFigures(connection, rows, knownAt, versions.figureVersion),
    deleteTape: (id) => deleteTape(connection, id),
    async writeGap({ symbol, from, to, reason }) {
      const fields = rowText([textField(symbol), instantField(from), instantField(to), textField(reason)])
      await connection.insert('gaps', ['symbol', 'since', 'until', 'reason'], rowBytes([fields]))
    },

    snapshot: (symbol, at) => snapshots.newest(symbol, easternDate(at), at),
    closingSnapshot: (symbol, date) => snapshots.newest(symbol, date),
    async bars(symbol, at, count) {
      const splits = await selectSplits(connection, symbol)
      return selectBars(connection, symbol, { last: lastClosed(at), count, splits, today: easternDate(at) })
    },
    async records(symbol, date, count) {
      return selectRecords(connection, symbol, date, count, await selectSplits(connection, symbol))
    },
    splits: (symbol) => selectSplits(connection, symbol),
    bandErrors: (from, before) => selectBandErrors(connection, from, before),
    dividends: (symbol, at) => selectDividends(connection, symbol, at),
    earnings: (asked, at) => selectEarnings(connection, asked, at),
    eventRecords: (symbol) => selectEventRecords(connection, symbol),

    figures: (request) => selectFigures(connection, request, versions),
    waitingFigures: (before, symbol) => selectWaitingDays(connection, before, symbol, versions),
    strikes: (request, at) => selectStrikes(connection, request, at, versions),

    tape: (id) => selectTape(connection, id),
    tapeHead: (id) => selectTapeHead(connection, id),
    tapedSymbols: (kind, date) => tapedSymbols(connection, kind, date),
    zeroDteSamples: (symbol, date, at) => selectSamples(connection, symbol, date, at),
    zeroDteMinutes: (symbol, date, at) => selectStrikeMinutes(connection, symbol, date, at),
    newestSamples: (date, at) => selectNewestSamples(connection, date, at),
    customers: (symbol, from, to) => selectCustomers(connection, symbol, from, to),
    pressure: (symbol, date, at) => selectPressure(connection, symbol, date, at),
    pressureAt: (symbol, moments) => selectPressureAt(connection, symbol, moments),

    async symbols() {
      const found = await rows('SELECT DISTINCT CAST(symbol AS String) AS ticker FROM option_images ORDER BY ticker')
      return found.map(({ ticker }) => ticker as Ticker)
    },
    coverage: async (symbol) => (await selectCoverage(rows, symbol))[0],
    coverages: () => selectCoverage(rows),
    gaps: (symbol, from, to) => selectGaps(rows, symbol, from, to),
    async moments(symbol, from, to) {
      const found = await rows(`SELECT toUnixTimestamp64Milli(ts) AS "asOf", toString(fidelity) AS "fidelity"
FROM option_images FINAL WHERE ${within({ symbol, from, to })} ORDER BY ts`)
      return found as unknown as readonly HeldMoment[]
    },

    async deleteBefore(before, { keepCloses }) {
      await deleteSnapshots(connection, before, keepCloses)
      await deleteSessions(connection, easternDate(before))
      snapshots.dropKnown()
    },
    async size() {
      const found = await rows(`SELECT table, sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts
WHERE active AND database = currentDatabase() GROUP BY table ORDER BY table`)
      return found as unknown as readonly { table: string; rows: number; bytes: number }[]
    },
    exportQuotes: (request, path) => connection.save(exportQuery(request), request.format, path),
    exportPrints: (request, path) => connection.save(printQuery(request), request.format, path),
    exportFigures: (request, path) => connection.save(figureQuery(request, versions), request.format, path),
    tapedSessions: (symbol) => tapedSessions(connection, symbol),
    heldSnapshots: (symbol, date) => snapshots.held(symbol, date),
    snapshotRows: (symbol, date, from, to) => snapshots.rows(symbol, date, from, to),
    contractList: (symbol, date, series) => snapshots.contracts(symbol, date, series),
    daysVersion: () => selectDaysVersion(connection),
    writeTableText: (parquet, path) => connection.writeTableText(parquet, path),
    close: () => connection.close()
  }
}

const PRICE_DECIMALS = 6
const prices = ['strike', 'bid', 'ask', 'last', 'spot'] as const

/** SQL that removes rounding errors such as 0.15000000000000002 from a price column; other numbers stay as they are. */
const shortest = (name: string) => {
  const short = `round(${name}, ${PRICE_DECIMALS})`
  return `if(abs(${name} - ${short}) < 1e-9, ${short}, ${name}) AS ${name}`
}

/**
 * SQL that exports quotes. A single thread keeps the snapshots in order. Small blocks limit the memory, which an index
 * with many contracts would need most.
 */
function exportQuery({ symbol, from, to }: ExportRequest): string {
  const span = { symbol, from, to }
  return `SELECT * REPLACE (${prices.map(shortest).join(', ')}) FROM (${unrolled(
    `SELECT *, spot, unit, last_unit FROM option_images FINAL WHERE ${within(span)} ORDER BY symbol, ts`,
    `SELECT * FROM option_series FINAL WHERE ${ofDays(span)}`
  )})
SETTINGS max_threads = 1, max_block_size = 16, format_csv_null_representation = ''`
}

/**
 * SQL that exports prints. Prices are stored as whole units; rounding to four decimals removes the error of multiplying
 * by the unit.
 */
function printQuery({ symbol, from, to }: PrintExportRequest): string {
  const columns = ['price', 'bid', 'ask', 'underlying'].map((name) => `round(${name}, 4) AS ${name}`)
  return `SELECT * EXCEPT (position) REPLACE (${columns.join(', ')}) FROM option_trades
WHERE symbol = ${textLiteral(symbol)} AND session BETWEEN ${textLiteral(from)} AND ${textLiteral(to)} ORDER BY session, position
SETTINGS format_csv_null_representation = ''`
}

type Span = Pick<ExportRequest, 'symbol' | 'from' | 'to'>

const ofDays = ({ symbol, from, to }: Span) =>
  `symbol = ${textLiteral(symbol)} AND session BETWEEN ${textLiteral(easternDate(from))} AND ${textLiteral(easternDate(to))}`

const within = (span: Span) =>
  `${ofDays(span)} AND ts >= ${momentLiteral(Math.ceil(span.from))} AND ts < ${momentLiteral(Math.ceil(span.to))}`
