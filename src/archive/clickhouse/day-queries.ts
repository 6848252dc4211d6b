import type { SymbolBandErrors } from '../../market/band-pool.ts'
import type { DailyBar } from '../../market/bar.ts'
import type { DailyRecord } from '../../market/daily-record.ts'
import { recordsAsOf, type Split, sharesForOne, splitBar } from '../../market/split.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import { type NativeValue, rowsOf } from '../codec/native-rows.ts'
import { arrayField, floatField, quotedText, rowBytes, rowText, textField } from '../codec/tab-separated.ts'
import type { Fidelity, OutdatedDay } from '../history-store.ts'
import { type DatabaseConnection, textLiteral } from './database-connection.ts'

const bar = ['open', 'high', 'low', 'close', 'volume'] as const

/** Inserts daily bars; existing bars of the same sessions are replaced. */
export async function insertBars(
  connection: DatabaseConnection,
  symbol: Ticker,
  bars: readonly DailyBar[],
  fidelity: Fidelity
): Promise<void> {
  if (bars.length === 0) return
  const rows = bars.map((day) =>
    rowText([textField(symbol), day.date, ...bar.map((name) => floatField(day[name])), fidelity])
  )
  await connection.insert('daily_bars', ['symbol', 'session', ...bar, 'fidelity'], rowBytes(rows))
}

/**
 * Returns a text that changes whenever daily bars, records, dividends or splits are written. It is a hash of the numbers of the
 * newest storage parts of their tables; merging parts does not change it. Undefined on a cluster, where one server does
 * not know the parts of the others.
 */
export async function selectDaysVersion(connection: DatabaseConnection): Promise<string | undefined> {
  const tables = ['daily_bars', 'daily_records', 'dividends', 'splits'].map(textLiteral).join()
  const [found] = rowsOf(
    await connection.read(`SELECT toString(sum(cityHash64(table, partition_id, newest))) AS parts,
assumeNotNull((SELECT count() FROM system.tables
WHERE database = currentDatabase() AND name IN (${tables}) AND engine = 'Distributed')) AS spread
FROM (SELECT table, partition_id, max(max_block_number) AS newest FROM system.parts
WHERE active AND database = currentDatabase() AND table IN (${tables}) GROUP BY table, partition_id)`)
  )
  return found.spread === 0 ? (found.parts as string) : undefined
}

export interface BarsWanted {
  /** The newest session that counts. */
  readonly last: IsoDate
  readonly count: number
  /** Splits of the symbol, and the day in whose scale the bars are wanted. */
  readonly splits: readonly Split[]
  readonly today: IsoDate
}

/** Reads the newest daily bars, in ascending order. Stored bars are of the scale of the day on which they were written. */
export async function selectBars(
  connection: DatabaseConnection,
  symbol: Ticker,
  { last, count, splits, today }: BarsWanted
): Promise<readonly DailyBar[]> {
  const bytes = await connection.read(`SELECT toString(session) AS date, ${bar.join(', ')},
toString(toDate(written, 'America/New_York')) AS stated FROM daily_bars
WHERE symbol = ${textLiteral(symbol)} AND session <= ${textLiteral(last)}
ORDER BY session DESC, written DESC LIMIT 1 BY session LIMIT ${count}`)
  return rowsOf(bytes)
    .map((found) => {
      const { stated, ...day } = found as unknown as DailyBar & { readonly stated: IsoDate }
      const since = stated > day.date ? stated : day.date
      return splitBar(day, sharesForOne(splits, since, today))
    })
    .reverse()
}

/** Inserts daily records computed with one version of the formulas. Records of other versions stay. */
export async function insertRecords(
  connection: DatabaseConnection,
  symbol: Ticker,
  records: readonly DailyRecord[],
  version: number
): Promise<void> {
  if (records.length === 0) return
  const rows = records.map(({ date, ...figures }) => {
    const names = arrayField(Object.keys(figures).map(quotedText))
    const values = arrayField(Object.values(figures).map((figure) => floatField(figure ?? Number.NaN)))
    return rowText([textField(symbol), date, String(version), names, values])
  })
  await connection.insert('daily_records', ['symbol', 'session', 'version', 'field', 'figure'], rowBytes(rows))
}

/**
 * Reads the newest `count` daily records before a date, in ascending order and in the scale of that date. If a day has records of several formula
 * versions, reads the newest version.
 */
export async function selectRecords(
  connection: DatabaseConnection,
  symbol: Ticker,
  before: IsoDate,
  count: number,
  splits: readonly Split[]
): Promise<readonly DailyRecord[]> {
  const bytes = await connection.read(`SELECT toString(session) AS date, field, figure FROM daily_records
WHERE symbol = ${textLiteral(symbol)} AND session < ${textLiteral(before)}
ORDER BY session DESC, version DESC, written DESC LIMIT 1 BY session LIMIT ${count}`)
  return recordsAsOf(rowsOf(bytes).map(recordOf).reverse(), splits, before)
}

/**
 * Reads what the daily records of all symbols say about bands, ascending by date and symbol. If a day has records of
 * several formula versions, reads the newest version.
 */
export async function selectBandErrors(
  connection: DatabaseConnection,
  from: IsoDate,
  before: IsoDate
): Promise<readonly SymbolBandErrors[]> {
  const bytes = await connection.read(`SELECT CAST(symbol AS String) AS ticker, toString(session) AS date,
arrayFilter(name -> startsWith(name, 'band'), field) AS names,
arrayFilter((value, name) -> startsWith(name, 'band'), figure, field) AS errors
FROM daily_records WHERE session >= ${textLiteral(from)} AND session < ${textLiteral(before)}
ORDER BY session, symbol, version DESC, written DESC LIMIT 1 BY session, symbol`)
  return rowsOf(bytes).map(({ ticker, date, names, errors }) => ({
    symbol: ticker as Ticker,
    ...recordOf({ date, field: names, figure: errors })
  }))
}

/**
 * Finds the days whose daily record was last computed with formulas older than `version`, ordered by symbol and day.
 */
export async function selectOutdated(connection: DatabaseConnection, version: number): Promise<readonly OutdatedDay[]> {
  const bytes = await connection.read(`SELECT CAST(symbol AS String) AS ticker, toString(session) AS date, at
FROM (SELECT symbol, session FROM daily_records GROUP BY symbol, session HAVING max(version) < ${version}) AS outdated
LEFT JOIN (
  SELECT symbol, session, toUnixTimestamp64Milli(max(ts)) AS at FROM option_images GROUP BY symbol, session
) AS snapshots USING (symbol, session)
ORDER BY symbol, session`)
  return rowsOf(bytes).map(({ ticker, date, at }) => ({
    symbol: ticker as Ticker,
    date: date as IsoDate,
    last: at === 0 ? undefined : (at as Instant) // a join without a match gives 0
  }))
}

function recordOf({ date, field, figure }: Readonly<Record<string, NativeValue>>): DailyRecord {
  const figures = (figure as readonly number[]).map((value) => (Number.isNaN(value) ? undefined : value))
  const named = (field as readonly string[]).map((name, k) => [name, figures[k]])
  return { date, ...Object.fromEntries(named) }
}
