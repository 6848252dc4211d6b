import { session } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import type { FigureColumns, FigureRequest, FigureRow, Stretch, WaitingDay } from '../../market/figure-row.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import { MAX_SILENCE } from '../closing.ts'
import { rowsOf } from '../codec/native-rows.ts'
import { array, float, instant, lines, quoted, row, text } from '../codec/tab-separated.ts'
import { type Connection, type ExportFormat, literal, moment } from './connection.ts'

/** A field that every row with figures made of prints has, and no other. */
const OF_TAPE = 'flow.net_premium'

/** Adds rows; those of the same moments are replaced. */
export async function writeFigures(connection: Connection, rows: readonly FigureRow[], version: string): Promise<void> {
  if (rows.length === 0) return
  const written = rows.map(({ symbol, asOf, figures }) => {
    const date = easternDate(asOf)
    const names = Object.keys(figures)
    const values = names.map((name) => float(figures[name] ?? Number.NaN))
    const { elapsed, left } = placeInSession(date, asOf)
    return row([
      text(symbol),
      date,
      instant(asOf),
      text(version),
      String(elapsed),
      String(left),
      array(names.map(quoted)),
      array(values)
    ])
  })
  const columns = ['symbol', 'session', 'ts', 'version', 'elapsed', 'left', 'field', 'figure']
  await connection.insert('figure_rows', columns, lines(written))
}

function placeInSession(date: IsoDate, asOf: Instant): { readonly elapsed: number; readonly left: number } {
  const hours = session(date)
  if (hours === undefined) return { elapsed: -1, left: 0 }
  const at = Math.min(asOf, hours.close)
  return { elapsed: Math.floor(at - hours.open), left: Math.ceil(hours.close - at) }
}

/** Figures over a stretch of time, and the snapshots in it that have none by formulas of a version. */
export async function readFigures(
  connection: Connection,
  request: FigureRequest,
  version: string
): Promise<FigureColumns> {
  const [rows, waiting] = await Promise.all([
    readRows(connection, request, version),
    readWaiting(connection, request, version)
  ])
  return { ...rows, waiting }
}

async function readRows(
  connection: Connection,
  request: FigureRequest,
  version: string
): Promise<Omit<FigureColumns, 'waiting'>> {
  const { fields } = request
  const figures = fields.map((name, k) => `${figureNamed(name)} AS f${k}`)
  const found = rowsOf(
    await connection.read(`SELECT toUnixTimestamp64Milli(ts) AS t, ${figures.join(', ')}
FROM (${thinned(request, version)}) ORDER BY ts`)
  )
  return {
    t: Float64Array.from(found, ({ t }) => t as number),
    columns: fields.map((_, k) => Float64Array.from(found, (read) => read[`f${k}`] as number))
  }
}

const figureNamed = (name: string) => `if(has(field, ${literal(name)}), figure[indexOf(field, ${literal(name)})], nan)`

/** Of each part of a session the last row that is asked for. A closing row is the last of a session that is over. */
function thinned({ symbol, from, to, until, closed, every }: FigureRequest, version: string): string {
  const made = (span: Span) => `${madeRows(span, version)} AND elapsed >= 0`
  if (every !== 'session') {
    return `${made({ symbol, from, to })} ORDER BY ts DESC LIMIT 1 BY session, intDiv(elapsed, ${every})`
  }
  const whole = { symbol, from, to: until }
  return `SELECT * FROM (${made(whole)} AND session <= ${literal(closed)} ORDER BY ts DESC LIMIT 1 BY session)
WHERE left <= ${MAX_SILENCE} AND ts <= ${moment(Math.floor(to))}`
}

type Span = Pick<FigureRequest, 'symbol' | 'from' | 'to'>

const within = ({ symbol, from, to }: Span) =>
  `symbol = ${literal(symbol)} AND session BETWEEN ${literal(easternDate(from))} AND ${literal(easternDate(to))}
AND ts BETWEEN ${moment(Math.ceil(from))} AND ${moment(Math.floor(to))}`

/** Rows of a version that are as new as the snapshots they were made of, which are held still. */
function madeRows(span: Span, version: string): string {
  return `SELECT * FROM (SELECT * FROM figure_rows FINAL WHERE ${within(span)}) AS made
INNER JOIN (SELECT ts, max(written) AS taken FROM option_images WHERE ${within(span)} GROUP BY ts) AS images USING (ts)
WHERE version = ${literal(version)} AND written >= taken`
}

async function readWaiting(
  connection: Connection,
  { fields, ...request }: FigureRequest,
  version: string
): Promise<readonly Stretch[]> {
  const readsTape = fields.some((name) => name.startsWith('flow.'))
  const bytes =
    await connection.read(`SELECT toUnixTimestamp64Milli(min(ts)) AS begins, toUnixTimestamp64Milli(max(ts)) AS ends
FROM (${waitingSnapshots(within(request), version, readsTape)}) GROUP BY session ORDER BY session`)
  return rowsOf(bytes).map(({ begins, ends }) => ({ from: begins as Instant, to: ends as Instant }))
}

/** Symbol, session and moment of snapshots without a row of a version, or of one without what is made of their tape. */
function waitingSnapshots(where: string, version: string, readsTape: boolean): string {
  const taped = "SELECT DISTINCT symbol, session, 1 AS taped FROM tapes WHERE kind = 'option'"
  return `SELECT images.symbol AS symbol, images.session AS session, images.ts AS ts
FROM (SELECT symbol, session, ts, max(option_images.written) AS taken FROM option_images WHERE ${where} GROUP BY symbol, session, ts) AS images
LEFT JOIN (
  SELECT symbol, ts, figure_rows.written AS made, elapsed >= 0 AND NOT has(field, ${literal(OF_TAPE)}) AS without_tape
  FROM figure_rows FINAL WHERE ${where} AND version = ${literal(version)}
) AS rows ON images.symbol = rows.symbol AND images.ts = rows.ts
${readsTape ? `LEFT JOIN (${taped}) AS tapes ON images.symbol = tapes.symbol AND images.session = tapes.session` : ''}
WHERE made < taken${readsTape ? ' OR (without_tape AND taped = 1)' : ''}`
}

/** The same of all snapshots before a moment, by day, the newest day first. */
export async function readWaitingDays(
  connection: Connection,
  before: Instant,
  symbol: Ticker | undefined,
  version: string
): Promise<readonly WaitingDay[]> {
  const owner = symbol === undefined ? '' : `symbol = ${literal(symbol)} AND `
  const snapshots = waitingSnapshots(`${owner}ts < ${moment(Math.ceil(before))}`, version, true)
  const bytes = await connection.read(`SELECT CAST(symbol AS String) AS ticker, toString(session) AS date,
arraySort(groupArray(toUnixTimestamp64Milli(ts))) AS moments FROM (${snapshots})
GROUP BY symbol, session ORDER BY session DESC, symbol`)
  return rowsOf(bytes).map(({ ticker, date, moments }) => ({
    symbol: ticker as Ticker,
    date: date as IsoDate,
    moments: moments as readonly number[]
  }))
}

/** Which figures to write into a file: those of snapshots in sessions from the first to the last moment. */
export interface FigureExportRequest extends Span {
  readonly fields: readonly string[]
  readonly format: ExportFormat
}

/** A row for each snapshot of a session, ascending; empty where there is no figure. */
export function figureQuery({ fields, ...span }: FigureExportRequest, version: string): string {
  const figures = fields.map((name) => `${orNull(figureNamed(name))} AS \`${name}\``)
  return `SELECT symbol, ts, ${figures.join(', ')}
FROM (${madeRows(span, version)} AND elapsed >= 0) ORDER BY ts SETTINGS format_csv_null_representation = ''`
}

const orNull = (figure: string) => `if(isNaN(${figure}), NULL, ${figure})`
