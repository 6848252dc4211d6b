import { REGULAR_CLOSE, session } from '../market/calendar.ts'
import { easternDate, instantOfEastern } from '../market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import { dateOfEpochDay, epochDay } from '../market/units.ts'
import { type Connection, type ExportFormat, literal, moment } from './clickhouse-connection.ts'
import { readBars, readRecords, writeBars, writeRecords } from './clickhouse-days.ts'
import { forgetImages } from './clickhouse-forget.ts'
import { ChainImages } from './clickhouse-images.ts'
import { type Field, rowsOf } from './decode-rows.ts'
import { instant, lines, row, text } from './encode-row.ts'
import { unrolled } from './schema-views.ts'
import { type Absence, absences, type CoveredDay, type Gap, type HistoryStore } from './store.ts'

/** Which quotes to write into a file: those of images in [from, to). */
export interface ExportRequest {
  readonly symbol: Ticker
  readonly from: Instant
  readonly to: Instant
  readonly format: ExportFormat
}

/** The archive in ClickHouse, with what only its owner asks of it. */
export interface DatabaseStore extends HistoryStore {
  /** Writes a row for each contract of each image into a new file, images in turn, in bounded memory. */
  exportQuotes(request: ExportRequest, path: string): Promise<void>
}

/**
 * The archive behind a connection whose tables are there. `recordVersion` is that of the formulas which make daily
 * records: a row of results is only as good as the formula behind it.
 */
export function clickhouseStore(connection: Connection, recordVersion: number): DatabaseStore {
  const images = new ChainImages(connection)
  const rows = async (query: string) => rowsOf(await connection.read(query))

  return {
    writeImages: (written) => images.write(written),
    writeBars: (symbol, bars, fidelity) => writeBars(connection, symbol, bars, fidelity),
    writeRecords: (symbol, records) => writeRecords(connection, symbol, records, recordVersion),
    async writeGap({ symbol, from, to, reason }) {
      const fields = row([text(symbol), instant(from), instant(to), text(reason)])
      await connection.insert('gaps', ['symbol', 'since', 'until', 'reason'], lines([fields]))
    },

    image: (symbol, at) => images.newest(symbol, easternDate(at), at),
    closingImage: (symbol, date) => images.newest(symbol, date),
    bars: (symbol, at, count) => readBars(connection, symbol, lastClosed(at), count),
    records: (symbol, date, count) => readRecords(connection, symbol, date, count),

    async symbols() {
      const found = await rows('SELECT DISTINCT CAST(symbol AS String) AS ticker FROM option_images ORDER BY ticker')
      return found.map(({ ticker }) => ticker as Ticker)
    },
    coverage: (symbol) => coverage(rows, symbol),
    async gaps(symbol, from, to) {
      const found =
        await rows(`SELECT toUnixTimestamp64Milli(since) AS "from", toUnixTimestamp64Milli(until) AS "to", reason
FROM gaps FINAL WHERE symbol = ${literal(symbol)} AND since < ${moment(Math.ceil(to))} AND until > ${moment(Math.floor(from))}
ORDER BY since, until, reason`)
      return found.map((gap) => ({ symbol, ...gap }) as unknown as Gap)
    },

    async forgetBefore(before, { keepCloses }) {
      await forgetImages(connection, before, keepCloses)
      images.forget()
    },
    async size() {
      const found = await rows(`SELECT table, sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts
WHERE active AND database = currentDatabase() GROUP BY table ORDER BY table`)
      return found as unknown as readonly { table: string; rows: number; bytes: number }[]
    },
    exportQuotes: (request, path) => connection.save(exportQuery(request), request.format, path),
    close: () => connection.close()
  }
}

/** One thread and small blocks: a day of a large index is millions of rows, and they stay in the order of the images. */
function exportQuery({ symbol, from, to }: ExportRequest): string {
  const ofSymbol = `symbol = ${literal(symbol)}`
  const days = `session BETWEEN ${literal(easternDate(from))} AND ${literal(easternDate(to))}`
  return `${unrolled(
    `SELECT *, spot, unit, last_unit FROM option_images FINAL WHERE ${ofSymbol} AND ${days} AND ts >= ${moment(Math.ceil(from))} AND ts < ${moment(Math.ceil(to))} ORDER BY symbol, ts`,
    `SELECT * FROM option_series FINAL WHERE ${ofSymbol} AND ${days}`
  )}
SETTINGS max_threads = 1, max_block_size = 16, format_csv_null_representation = ''`
}

/** The last date whose session has closed: that of the moment itself from its close on, else the day before. */
function lastClosed(at: Instant): IsoDate {
  const today = easternDate(at)
  const close = session(today)?.close ?? instantOfEastern(today, REGULAR_CLOSE)
  return at >= close ? today : dateOfEpochDay(epochDay(today) - 1)
}

type Rows = (query: string) => Promise<readonly Readonly<Record<string, Field>>[]>

async function coverage(
  rows: Rows,
  symbol: Ticker
): Promise<{ readonly days: readonly CoveredDay[]; readonly updatedAt: Instant } | undefined> {
  const ofSymbol = `symbol = ${literal(symbol)}`
  const [images, tapes, newest] = await Promise.all([
    rows(`SELECT toString(session) AS date, uniqExact(ts) AS images, toUnixTimestamp64Milli(max(ts)) AS last,
  max(isFinite(spot)) AS underlying, max(${lists}) AS options,
  max(${lists} AND NOT has(missing, 'open_interest')) AS interest, max(${lists} AND NOT has(missing, 'svi_fits')) AS fit,
  max(fidelity = 'imported') AS imported, CAST(groupUniqArrayArray(missing) AS Array(String)) AS lacking
FROM option_images WHERE ${ofSymbol} GROUP BY session ORDER BY session`),
    rows(`SELECT DISTINCT toString(session) AS date FROM option_prints WHERE ${ofSymbol}`),
    rows(
      `SELECT max(at) AS at FROM (${dated
        .map(
          (table) =>
            `SELECT toUnixTimestamp64Milli(toDateTime64(max(written), 3, 'UTC')) AS at FROM ${table} WHERE ${ofSymbol}`
        )
        .join(' UNION ALL ')})`
    )
  ])
  if (images.length === 0) return undefined
  const taped = new Set(tapes.map(({ date }) => date))
  const days = images.map((day): CoveredDay => {
    const missing = new Set(day.lacking as readonly string[])
    return {
      date: day.date as IsoDate,
      images: day.images as number,
      last: day.last as Instant,
      hasUnderlying: day.underlying === 1,
      hasOptions: day.options === 1,
      hasOpenInterest: day.interest === 1,
      hasFit: day.fit === 1,
      hasTape: taped.has(day.date),
      fidelity: day.imported === 1 ? 'imported' : 'recorded',
      missing: absences.filter((absence: Absence) => missing.has(absence))
    }
  })
  return { days, updatedAt: newest[0].at as Instant }
}

/** Whether an image lists options. The length of a column is read without the column. */
const lists = 'bid_bends.size0 > 0'

/** Tables whose rows of a symbol say when it was last written. */
const dated = ['option_images', 'option_prints', 'stock_prints', 'daily_bars', 'daily_records', 'gaps'] as const
