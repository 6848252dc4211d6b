import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { NativeValue } from '../codec/native-rows.ts'
import { type Absence, absences, type CoveredDay, type Gap, type SymbolCoverage } from '../history-store.ts'
import { momentLiteral, textLiteral } from './database-connection.ts'

type Row = Readonly<Record<string, NativeValue>>
type Rows = (query: string) => Promise<readonly Row[]>

const name = 'CAST(symbol AS String) AS ticker'
const ofSymbol = (symbol: Ticker | undefined) => (symbol === undefined ? '1' : `symbol = ${textLiteral(symbol)}`)

/**
 * SQL condition: the snapshot lists options. It tests the length of an array, which the database knows without reading
 * the array.
 */
const lists = 'bid_bends.size0 > 0'

/** Tables whose newest row determines a symbol's `updatedAt`. */
const dated = ['option_images', 'option_tape', 'stock_tape', 'daily_bars', 'daily_records', 'gaps'] as const

/**
 * Reads which days the archive covers, for one symbol or, if `symbol` is absent, for every symbol, ascending. Both take
 * the same number of queries.
 */
export async function selectCoverage(rows: Rows, symbol?: Ticker): Promise<readonly SymbolCoverage[]> {
  const [snapshots, tapes, writes] = await Promise.all([
    rows(`SELECT ${name}, toString(session) AS date, uniqExact(ts) AS snapshots, toUnixTimestamp64Milli(max(ts)) AS last,
  max(isFinite(spot)) AS underlying, max(${lists}) AS options,
  max(${lists} AND NOT has(missing, 'open_interest')) AS interest, max(${lists} AND NOT has(missing, 'svi_fits')) AS fit,
  max(fidelity = 'imported') AS imported, CAST(groupUniqArrayArray(missing) AS Array(String)) AS lacking
FROM option_images WHERE ${ofSymbol(symbol)} GROUP BY symbol, session ORDER BY symbol, session`),
    rows(`SELECT DISTINCT ${name}, toString(session) AS date FROM tapes WHERE kind = 'option' AND ${ofSymbol(symbol)}`),
    rows(`SELECT ticker, max(written) AS at FROM (${dated.map((table) => lastWrites(table, symbol)).join(' UNION ALL ')})
GROUP BY ticker`)
  ])
  const taped = new Set(tapes.map(({ ticker, date }) => `${ticker} ${date}`))
  const updatedAt = new Map(writes.map(({ ticker, at }) => [ticker, at as Instant]))
  const held = new Map<Ticker, CoveredDay[]>()
  for (const day of snapshots) {
    const ticker = day['ticker'] as Ticker
    const days = held.get(ticker) ?? []
    held.set(ticker, days)
    days.push(coveredDay(day, taped.has(`${ticker} ${day['date']}`)))
  }
  return [...held].map(([ticker, days]) => ({ symbol: ticker, days, updatedAt: updatedAt.get(ticker)! }))
}

function lastWrites(table: string, symbol: Ticker | undefined): string {
  const at = "toUnixTimestamp64Milli(toDateTime64(max(written), 3, 'UTC'))"
  return `SELECT ${name}, ${at} AS written FROM ${table} WHERE ${ofSymbol(symbol)} GROUP BY symbol`
}

function coveredDay(day: Row, hasTape: boolean): CoveredDay {
  const missing = new Set(day['lacking'] as readonly string[])
  return {
    date: day['date'] as IsoDate,
    snapshots: day['snapshots'] as number,
    last: day['last'] as Instant,
    hasUnderlying: day['underlying'] === 1,
    hasOptions: day['options'] === 1,
    hasOpenInterest: day['interest'] === 1,
    hasFit: day['fit'] === 1,
    hasTape,
    fidelity: day['imported'] === 1 ? 'imported' : 'recorded',
    // The tape may have been recorded separately from the snapshots.
    missing: absences.filter((absence: Absence) => missing.has(absence) && !(absence === 'trade_tape' && hasTape))
  }
}

/**
 * Reads the gaps in recording that overlap [from, to), in ascending order. Without a symbol, reads the gaps of all
 * symbols.
 */
export async function selectGaps(
  rows: Rows,
  symbol: Ticker | undefined,
  from: Instant,
  to: Instant
): Promise<readonly Gap[]> {
  const found = await rows(`SELECT CAST(symbol AS String) AS symbol, toUnixTimestamp64Milli(since) AS "from",
  toUnixTimestamp64Milli(until) AS "to", reason
FROM gaps FINAL
WHERE ${ofSymbol(symbol)} AND since < ${momentLiteral(Math.ceil(to))} AND until > ${momentLiteral(Math.floor(from))}
ORDER BY since, until, reason`)
  return found as unknown as readonly Gap[]
}
