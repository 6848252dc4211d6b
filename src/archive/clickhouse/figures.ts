import { addDays, session } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import type { FigureColumns, FigureRequest, FigureRow, Stretch, WaitingDay } from '../../market/figure-row.ts'
import { type HeldStrikes, type StrikeFigure, type StrikeRequest, strikeFigures } from '../../market/strike-sums.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import { MAX_SILENCE } from '../closing.ts'
import { rowsOf } from '../codec/native-rows.ts'
import { array, float, instant, lines, quoted, row, text, writtenAt } from '../codec/tab-separated.ts'
import type { Fidelity, WrittenAt } from '../store.ts'
import { type Connection, type ExportFormat, literal, moment } from './connection.ts'
import { type FigureVersions, figureState, type Looked } from './figure-state.ts'

/** A cent, or a hundredth of a contract: what figures of strikes are whole numbers of. */
const STRIKE_UNITS = 100
/** No session is further from the one before it, days. */
const LONGEST_BREAK = 14

/** Adds rows made of what was there at a moment of the clock; those of the same moments made of older things are replaced. */
export async function writeFigures(
  connection: Connection,
  rows: readonly FigureRow[],
  knownAt: WrittenAt,
  version: string
): Promise<void> {
  if (rows.length === 0) return
  const written = rows.map(({ symbol, asOf, figures, strikes }) => {
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
      array(values),
      array(Array.from(strikes?.strikes ?? [], float)),
      ...strikeFigures.map((name) => array(Array.from(strikes?.[name] ?? [], wholeUnits))),
      writtenAt(knownAt)
    ])
  })
  const columns = ['symbol', 'session', 'ts', 'version', 'elapsed', 'left', 'field', 'figure', 'strike']
  await connection.insert('figure_rows', [...columns, ...strikeFigures, 'written'], lines(written))
}

const wholeUnits = (figure: number) => Math.round(STRIKE_UNITS * figure)

function placeInSession(date: IsoDate, asOf: Instant): { readonly elapsed: number; readonly left: number } {
  const hours = session(date)
  if (hours === undefined) return { elapsed: -1, left: 0 }
  const at = Math.min(asOf, hours.close)
  return { elapsed: Math.floor(at - hours.open), left: Math.ceil(hours.close - at) }
}

/** Figures over a stretch of time, and the snapshots in it that have none which are good. */
export async function readFigures(
  connection: Connection,
  request: FigureRequest,
  versions: FigureVersions
): Promise<FigureColumns> {
  const [rows, waiting] = await Promise.all([
    readRows(connection, request, versions),
    readWaiting(connection, request, versions)
  ])
  return { ...rows, waiting }
}

async function readRows(
  connection: Connection,
  request: FigureRequest,
  versions: FigureVersions
): Promise<Omit<FigureColumns, 'waiting'>> {
  const { fields } = request
  const figures = fields.map((name, k) => `${figureNamed(name)} AS f${k}`)
  const found = rowsOf(
    await connection.read(`SELECT toUnixTimestamp64Milli(ts) AS t, ${figures.join(', ')}
FROM (${thinned(request, versions)}) ORDER BY ts`)
  )
  return {
    t: Float64Array.from(found, ({ t }) => t as number),
    columns: fields.map((_, k) => Float64Array.from(found, (read) => read[`f${k}`] as number))
  }
}

const figureNamed = (name: string) => `if(has(field, ${literal(name)}), figure[indexOf(field, ${literal(name)})], nan)`

/** Of each part of a session the last row that is asked for. A closing row is the last of a session that is over. */
function thinned({ symbol, from, to, until, closed, every }: FigureRequest, versions: FigureVersions): string {
  if (every !== 'session') {
    return `${madeRows({ symbol, from, to }, versions)} ORDER BY ts DESC LIMIT 1 BY session, intDiv(elapsed, ${every})`
  }
  const whole = madeRows({ symbol, from, to: until }, versions)
  return `SELECT * FROM (${whole} AND session <= ${literal(closed)} ORDER BY ts DESC LIMIT 1 BY session)
WHERE left <= ${MAX_SILENCE} AND ts <= ${moment(Math.floor(to))}`
}

type Span = Pick<FigureRequest, 'symbol' | 'from' | 'to'>

function within({ symbol, from, to }: Span): Looked {
  const [first, last] = [easternDate(from), easternDate(to)]
  return {
    where: `symbol = ${literal(symbol)} AND session BETWEEN ${literal(first)} AND ${literal(last)}
AND ts BETWEEN ${moment(Math.ceil(from))} AND ${moment(Math.floor(to))}`,
    closes: `session BETWEEN ${literal(addDays(first, -LONGEST_BREAK))} AND ${literal(last)}`
  }
}

/** The rows of snapshots in sessions that are good. */
function madeRows(span: Span, versions: FigureVersions): string {
  const state = figureState(within(span), ['elapsed', 'left', 'field', 'figure'], versions)
  return `SELECT * FROM (${state}) WHERE is_current AND elapsed >= 0`
}

async function readWaiting(
  connection: Connection,
  { fields, ...request }: FigureRequest,
  versions: FigureVersions
): Promise<readonly Stretch[]> {
  const readsTape = fields.some((name) => name.startsWith('flow.'))
  const bytes =
    await connection.read(`SELECT toUnixTimestamp64Milli(min(ts)) AS begins, toUnixTimestamp64Milli(max(ts)) AS ends
FROM (${waitingSnapshots(within(request), readsTape, versions)}) GROUP BY session ORDER BY session`)
  return rowsOf(bytes).map(({ begins, ends }) => ({ from: begins as Instant, to: ends as Instant }))
}

/** Symbol, session and moment of snapshots without a good row, or with one without what is made of their tape. */
function waitingSnapshots(looked: Looked, readsTape: boolean, versions: FigureVersions): string {
  return `SELECT symbol, session, ts FROM (${figureState(looked, [], versions)})
WHERE NOT is_current${readsTape ? ' OR lacks_tape' : ''}`
}

/** The same of all snapshots before a moment, by day, the newest day first. */
export async function readWaitingDays(
  connection: Connection,
  before: Instant,
  symbol: Ticker | undefined,
  versions: FigureVersions
): Promise<readonly WaitingDay[]> {
  const owner = symbol === undefined ? '' : `symbol = ${literal(symbol)} AND `
  const looked = { where: `${owner}ts < ${moment(Math.ceil(before))}`, closes: '1' }
  const bytes = await connection.read(`SELECT CAST(symbol AS String) AS ticker, toString(session) AS date,
arraySort(groupArray(toUnixTimestamp64Milli(ts))) AS moments FROM (${waitingSnapshots(looked, true, versions)})
GROUP BY symbol, session ORDER BY session DESC, symbol`)
  return rowsOf(bytes).map(({ ticker, date, moments }) => ({
    symbol: ticker as Ticker,
    date: date as IsoDate,
    moments: moments as readonly number[]
  }))
}

/** One figure by strike at the last snapshot of each part of a session up to a moment, ascending. */
export async function readStrikes(
  connection: Connection,
  { symbol, date, figure, every }: StrikeRequest,
  at: Instant,
  versions: FigureVersions
): Promise<readonly HeldStrikes[]> {
  const hours = session(date)
  if (hours === undefined) return []
  const where = `symbol = ${literal(symbol)} AND session = ${literal(date)} AND ts <= ${moment(Math.floor(at))}`
  const closes = `session BETWEEN ${literal(addDays(date, -LONGEST_BREAK))} AND ${literal(date)}`
  const state = figureState({ where, closes }, ['strike', figure], versions)
  const found = rowsOf(
    await connection.read(`SELECT toUnixTimestamp64Milli(ts) AS t, toString(fidelity) AS level, is_current, strike, ${figure}
FROM (${state}) ORDER BY ts DESC LIMIT 1 BY floor((t - ${hours.open}) / ${every})`)
  )
  return found.map((read) => heldStrikes(read, figure)).reverse()
}

function heldStrikes(read: ReturnType<typeof rowsOf>[number], figure: StrikeFigure): HeldStrikes {
  const held = { asOf: read['t'] as Instant, fidelity: read['level'] as Fidelity }
  const strikes = Float64Array.from(read['strike'] as readonly number[])
  if (read['is_current'] !== 1 || strikes.length === 0) return { ...held, sums: undefined }
  const values = Float64Array.from(read[figure] as readonly number[], (units) => units / STRIKE_UNITS)
  return { ...held, sums: { strikes, values } }
}

/** Which figures to write into a file: those of snapshots in sessions from the first to the last moment. */
export interface FigureExportRequest extends Span {
  readonly fields: readonly string[]
  readonly format: ExportFormat
}

/** A row for each snapshot of a session, ascending; empty where there is no figure. */
export function figureQuery({ fields, ...span }: FigureExportRequest, versions: FigureVersions): string {
  const figures = fields.map((name) => `${orNull(figureNamed(name))} AS \`${name}\``)
  return `SELECT symbol, ts, ${figures.join(', ')}
FROM (${madeRows(span, versions)}) ORDER BY ts SETTINGS format_csv_null_representation = ''`
}

const orNull = (figure: string) => `if(isNaN(${figure}), NULL, ${figure})`
