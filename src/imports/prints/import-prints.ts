import { session } from '../../market/calendar.ts'
import { tradeDate } from '../../market/trade-date.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import { FilesError, type FoundFile, filesAt } from '../import-files.ts'
import type { ImportWriter } from '../import-writer.ts'
import { leanZip } from '../lean/lean-names.ts'
import { importLeanPrints } from '../lean/lean-prints.ts'
import { type ColumnMap, columnLayout } from '../tables/column-map.ts'
import type { Line } from '../tables/csv-line.ts'
import { layoutIn, layoutOf } from '../tables/known-layout.ts'
import {
  eachTable,
  reportedAs,
  type TableFile,
  type TableProgress,
  type TableReader,
  tableName
} from '../tables/table-file.ts'
import type { TableSample } from '../tables/table-opening.ts'
import { readTable } from '../tables/table-rows.ts'
import { type SaidForms, writtenForms } from '../tables/written-forms.ts'
import type { ConditionMap } from './print-conditions.ts'
import { printLayouts } from './print-layouts.ts'
import { PrintLog, type PrintPlace } from './print-log.ts'
import { type PrintRow, printFields, printLayoutProblem, printRowReader } from './print-table.ts'
import { writeSessionTapes } from './session-tapes.ts'

export interface PrintOptions {
  readonly columns: ColumnMap | undefined
  /** Symbol that applies to all rows if the table has no symbol column. */
  readonly symbol: Ticker | undefined
  /** How the operator said that dates, times and numbers are written. */
  readonly forms?: SaidForms | undefined
  /** Meanings of sale condition codes, in addition to those already known. */
  readonly conditions: ConditionMap | undefined
  readonly archive: TableReader
  /**
   * Current time. The tape of a session that may still be trading is not imported, because the running service writes
   * it.
   */
  readonly now: Instant
  readonly maxPrints?: number
}

/**
 * Default limit on the prints held in memory, about 80 bytes each. It is enough for several days of the busiest symbol.
 */
const MAX_PRINTS = 8_000_000
/**
 * Number of sessions that are read at the same time. Two are needed, because evening prints belong to the next session.
 */
const OPEN_SESSIONS = 2

const readable = new RegExp(`${tableName.source}|${leanZip.source}`, 'i')

/**
 * Imports recorded prints from tables, and trades from minute data in LEAN's format. The prints of a symbol and session
 * become its tapes, exactly as the running service would have built them. Rows of a session may come in any order and
 * from several files, but rows of at most one other session may lie between them.
 */
export async function importPrints(
  paths: readonly string[],
  options: PrintOptions,
  writer: ImportWriter
): Promise<void> {
  const files = await filesAt(paths, readable)
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const [zips, tables] = [files.filter(isZip), files.filter((file) => !isZip(file))]
  const sessions = new OpenSessions(options, writer)
  const work = (table: TableFile, progress: TableProgress) => importFile(table, options, sessions, writer, progress)
  const done = await eachTable(tables, options.archive, writer, work, total)
  if (writer.signal.aborted) return
  await sessions.close()
  if (zips.length === 0) return
  await importLeanPrints(zips, sessions, writer, (what, read) => writer.progress(what, done + read, total))
}

const isZip = ({ path }: FoundFile) => /\.zip$/i.test(path)

async function importFile(
  { path, text }: TableFile,
  { columns, symbol, conditions, forms: said }: PrintOptions,
  sessions: OpenSessions,
  writer: ImportWriter,
  progress: TableProgress
): Promise<void> {
  const heading = (line: Line, sample: TableSample) => {
    const known = columns === undefined ? layoutOf(line, printLayouts) : undefined
    const layout = known === undefined ? columnLayout(line, columns, printFields) : layoutIn(line, known)
    const dated = [layout.date, layout.time, layout.time_utc, layout.expiration]
    const texts = dated.flatMap((place) => (place === undefined ? [] : sample.texts(place.column)))
    const forms = writtenForms(
      texts.filter((text) => !/^\d+(\.\d+)?$/.test(text)),
      said,
      known?.dates
    )
    return { problem: printLayoutProblem(layout, symbol), read: printRowReader(layout, { symbol, conditions, forms }) }
  }
  const row = (value: PrintRow, line: number) => sessions.add(value, { file: path, line })
  const pause = async (read: number) => {
    await progress(read)
    return !writer.signal.aborted
  }
  if (await readTable(text, heading, { row, pause }, reportedAs(path, writer), said?.decimal)) return
  if (!writer.signal.aborted) sessions.drop(path)
}

/** Collects prints by session. Writes a session's tapes when rows of a third session begin. */
export class OpenSessions {
  readonly #now: Instant
  readonly #maxPrints: number
  readonly #writer: ImportWriter
  /** Prints read so far, by session (in the order in which their first rows came), then by symbol. */
  readonly #open = new Map<IsoDate, Map<Ticker, PrintLog>>()
  /** Reasons why no more rows can be added to a tape, by symbol, session and kind. */
  readonly #closed = new Map<string, string>()
  #held = 0

  constructor({ now, maxPrints = MAX_PRINTS }: Pick<PrintOptions, 'now' | 'maxPrints'>, writer: ImportWriter) {
    this.#now = now
    this.#maxPrints = maxPrints
    this.#writer = writer
  }

  /** Adds a print. Returns a promise if an earlier session must be written first. */
  add(row: PrintRow, place: PrintPlace): Promise<void> | undefined {
    const date = tradeDate(row.time)
    if (this.#open.has(date)) {
      this.#put(row, date, place)
      return this.#held > this.#maxPrints ? this.#makeRoom() : undefined
    }
    if (this.#open.size < OPEN_SESSIONS) {
      this.#open.set(date, new Map())
      this.#put(row, date, place)
      return undefined
    }
    return this.#closeOldest().then(() => this.add(row, place))
  }

  async close(): Promise<void> {
    while (this.#open.size > 0) await this.#closeOldest()
  }

  /** Drops the sessions that have rows of a file that ended early, because some of their rows may be missing. */
  drop(file: string): void {
    for (const [date, logs] of this.#open) {
      for (const [symbol, log] of logs) {
        const place = log.firstPlace(file)
        if (place === undefined) continue
        const reason = `${symbol} on ${date} is not complete: the file breaks off`
        this.#writer.reject(file, place.line, reason)
        for (const kind of log.kinds) this.#closed.set(`${symbol} ${date} ${kind}`, reason)
        this.#held -= log.size
        logs.delete(symbol)
      }
    }
  }

  #put(row: PrintRow, date: IsoDate, place: PrintPlace): void {
    const { symbol, contract } = row
    const closed = this.#closed.get(`${symbol} ${date} ${contract === undefined ? 'stock' : 'option'}`)
    if (closed !== undefined) {
      this.#writer.reject(place.file, place.line, closed)
      return
    }
    const logs = this.#open.get(date)!
    let log = logs.get(symbol)
    if (log === undefined) logs.set(symbol, (log = new PrintLog(symbol, date)))
    log.add(row, place)
    this.#held++
  }

  async #makeRoom(): Promise<void> {
    const [date] = this.#open.keys()
    if (this.#open.size === 1) {
      throw new FilesError(`it has over ${this.#maxPrints} prints on ${date}: split it by symbol`)
    }
    await this.#closeOldest()
  }

  async #closeOldest(): Promise<void> {
    const [date] = [...this.#open.keys()].sort()
    const logs = this.#open.get(date)!
    this.#open.delete(date)
    for (const log of logs.values()) {
      this.#held -= log.size
      if (this.#writer.signal.aborted) return
      await this.#write(log)
    }
  }

  async #write(log: PrintLog): Promise<void> {
    const { symbol, session: date, kinds } = log
    const { file, line } = log.firstPlace()!
    const isOver = date < tradeDate(this.#now) && session(date) !== undefined
    const reason = isOver
      ? `${symbol} on ${date} was complete before: sort the rows by date and keep a date in one import`
      : `${symbol} on ${date} is not over: its tape is the service's own`
    for (const kind of kinds) this.#closed.set(`${symbol} ${date} ${kind}`, reason)
    if (isOver) await writeSessionTapes(log, this.#writer)
    else this.#writer.reject(file, line, reason)
  }
}
