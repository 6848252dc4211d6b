import { addDays, session } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import type { FigureColumns, FigureRequest, FigureRow, Stretch, WaitingDay } from '../../market/figure-row.ts'
import { type HeldStrikes, type StrikeFigure, type StrikeRequest, strikeFigures } from '../../market/strike-sums.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_DAY, type Ticker } from '../../market/units.ts'
import { MAX_SILENCE } from '../closing.ts'
import { rowsOf } from '../codec/native-rows.ts'
import {
  arrayField,
  floatField,
  instantField,
  quotedText,
  rowBytes,
  rowText,
  textField,
  writtenAtField
} from '../codec/tab-separated.ts'
import type { Fidelity, WrittenAt } from '../history-store.ts'
import { type DatabaseConnection, type ExportFormat, momentLiteral, textLiteral } from './database-connection.ts'
import { type FigureVersions, figureState, type SnapshotFilter } from './figure-state.ts'

/** Figures by strike are stored in hundredths: cents, or hundredths of a contract. */
const STRIKE_UNITS = 100
/** Maximum number of days between two consecutive sessions. */
const MAX_BREAK = 14

/**
 * Inserts the figures of snapshots. `knownAt` is the archive's clock time just before the inputs of the figures were
 * read. Figures of the same snapshots computed from older inputs are replaced.
 */
export async function insertFigures(
  connection: DatabaseConnection,
  rows: readonly FigureRow[],
  knownAt: WrittenAt,
  version: string
): Promise<void> {
  if (rows.length === 0) return
  const written = rows.map(({ symbol, asOf, figures, strikes }) => {
    const date = easternDate(asOf)
    const names = Object.keys(figures)
    const values = names.map((name) => floatField(figures[name] ?? Number.NaN))
    const { elapsed, left } = placeInSession(date, asOf)
    return rowText([
      textField(symbol),
      date,
      instantField(asOf),
      textField(version),
      String(elapsed),
      String(left),
      arrayField(names.map(quotedText)),
      arrayField(values),
      arrayField(Array.from(strikes?.strikes ?? [], floatField)),
      ...strikeFigures.map((name) => arrayField(Array.from(strikes?.[name] ?? [], wholeUnits))),
      writtenAtField(knownAt)
    ])
  })
  const columns = ['symbol', 'session', 'ts', 'version', 'elapsed', 'left', 'field', 'figure', 'strike']
  await connection.insert('figure_rows', [...columns, ...strikeFigures, 'written'], rowBytes(written))
}

const wholeUnits = (figure: number) => Math.round(STRIKE_UNITS * figure)

function placeInSession(date: IsoDate, asOf: Instant): { readonly elapsed: number; readonly left: number } {
  const hours = session(date)
  if (hours === undefined) return { elapsed: -1, left: 0 }
  const at = Math.min(asOf, hours.close)
  return { elapsed: Math.floor(at - hours.open), left: Math.ceil(hours.close - at) }
}

/**
 * Reads the figures of a period: for each interval of a session, the figures of its last snapshot. If the interval is a
 * whole session, these are the figures at the close, once the session is over. Also returns, for each session, the
 * range of snapshots whose figures are missing or outdated.
 */
export async function selectFigures(
  connection: DatabaseConnection,
  { fields, symbol, from, to, until, closed, every, sampled }: FigureRequest,
  versions: FigureVersions
): Promise<FigureColumns> {
  const isWhole = every === 'session'
  const looked = within({ symbol, from, to: isWhole ? until : to })
  const readsTape = fields.some((name) => name.startsWith('flow.'))
  const isShown = `is_current AND elapsed >= 0${isWhole && !sampled ? ` AND session <= ${textLiteral(closed)}` : ''}`
  const isWaiting = `(NOT is_current${readsTape ? ' OR lacks_tape' : ''}) AND ts <= ${momentLiteral(Math.floor(to))}`
  const order = sampled ? '(left > 0, ts)' : 'ts'
  const newest = [
    ...fields.map((name) => `argMax(${figureNamed(name)}, ${order})`),
    ...(sampled ? sampleAggregates : [])
  ].map((column, k) => `${column} AS f${k}`)
  const interval = `intDiv(greatest(elapsed, 0), ${isWhole ? MILLISECONDS_PER_DAY : every})`
  // The close begins an interval of its own, so that the bar before it keeps the figures of its last minute.
  const part = sampled && !isWhole ? `2 * ${interval} + (left = 0)` : interval
  const found = rowsOf(
    await connection.read(`SELECT toString(session) AS date, toUnixTimestamp64Milli(min(ts)) AS begins,
  toUnixTimestamp64Milli(max(ts)) AS ends, toUnixTimestamp64Milli(argMax(ts, ${order})) AS moment,
  argMax(left, ts) AS left_then, ${[...newest, 'shown', 'waiting', 'part'].join(', ')}
FROM (${figureState(looked, ['left', 'field', 'figure'], versions)})
GROUP BY session, ${part} AS part, ${isShown} AS shown, ${isWaiting} AS waiting
ORDER BY session, part, ends SETTINGS max_threads = 1`)
  )
  // An interval may have two rows: one shown although its prints are not included yet, and one that includes them.
  const shown = found.filter((read) => read['shown'] === 1)
  const isRecordedToItsEnd = (read: Read) =>
    (read['left_then'] as number) <= MAX_SILENCE || (sampled === true && (read['date'] as string) > closed)
  const rows = shown.filter(
    (read, k) =>
      !isSamePart(read, shown[k + 1]) && (!isWhole || (isRecordedToItsEnd(read) && (read['ends'] as number) <= to))
  )
  return {
    t: Float64Array.from(rows, ({ moment }) => moment as number),
    columns: newest.map((_, k) => Float64Array.from(rows, (read) => read[`f${k}`] as number)),
    waiting: waitingOf(found.filter(({ waiting }) => waiting === 1))
  }
}

const price = figureNamed('underlying_price')
/** Aggregates in the order of `sampleColumns`. */
const sampleAggregates = [
  `argMin(${price}, ts)`,
  `max(${price})`,
  `min(${price})`,
  `argMax(${price}, ts)`,
  'toFloat64(countIf(left > 0))',
  `argMax(if(fidelity = 'imported', 1., 0.), ts)`
]

type Read = ReturnType<typeof rowsOf>[number]

const isSamePart = (one: Read, other: Read | undefined) =>
  one['date'] === other?.['date'] && one['part'] === other?.['part']

/** For each session, the moments of the first and the last snapshot whose figures are missing or outdated. */
function waitingOf(parts: readonly Read[]): readonly Stretch[] {
  const bySession = new Map<unknown, Stretch>()
  for (const { date, begins, ends } of parts) {
    const [from, to] = [begins as Instant, ends as Instant]
    const held = bySession.get(date) ?? { from, to }
    bySession.set(date, { from: Math.min(held.from, from), to: Math.max(held.to, to) })
  }
  return [...bySession.values()]
}

function figureNamed(name: string): string {
  return `if(has(field, ${textLiteral(name)}), figure[indexOf(field, ${textLiteral(name)})], nan)`
}

type Span = Pick<FigureRequest, 'symbol' | 'from' | 'to'>

function within({ symbol, from, to }: Span): SnapshotFilter {
  const [first, last] = [easternDate(from), easternDate(to)]
  return {
    where: `symbol = ${textLiteral(symbol)} AND session BETWEEN ${textLiteral(first)} AND ${textLiteral(last)}
AND ts BETWEEN ${momentLiteral(Math.ceil(from))} AND ${momentLiteral(Math.floor(to))}`,
    closes: `session BETWEEN ${textLiteral(addDays(first, -MAX_BREAK))} AND ${textLiteral(last)}`
  }
}

/**
 * Finds the snapshots before a moment whose figures must be computed: they are missing or outdated, or leave out the
 * prints of the session although it has a tape. Newest day first.
 */
export async function selectWaitingDays(
  connection: DatabaseConnection,
  before: Instant,
  symbol: Ticker | undefined,
  versions: FigureVersions
): Promise<readonly WaitingDay[]> {
  const owner = symbol === undefined ? '' : `symbol = ${textLiteral(symbol)} AND `
  const looked = { where: `${owner}ts < ${momentLiteral(Math.ceil(before))}`, closes: '1' }
  const bytes = await connection.read(`SELECT CAST(symbol AS String) AS ticker, toString(session) AS date,
arraySort(groupArray(toUnixTimestamp64Milli(ts))) AS moments FROM (${figureState(looked, [], versions)}) WHERE NOT is_current OR lacks_tape
GROUP BY symbol, session ORDER BY session DESC, symbol`)
  return rowsOf(bytes).map(({ ticker, date, moments }) => ({
    symbol: ticker as Ticker,
    date: date as IsoDate,
    moments: moments as readonly number[]
  }))
}

/**
 * Reads one figure for every strike, such as the gamma exposure, from the last snapshot in each interval of a session
 * up to `at`. Intervals are in ascending order.
 */
export async function selectStrikes(
  connection: DatabaseConnection,
  { symbol, date, figure, every }: StrikeRequest,
  at: Instant,
  versions: FigureVersions
): Promise<readonly HeldStrikes[]> {
  const hours = session(date)
  if (hours === undefined) return []
  const where = `symbol = ${textLiteral(symbol)} AND session = ${textLiteral(date)} AND ts <= ${momentLiteral(Math.floor(at))}`
  const closes = `session BETWEEN ${textLiteral(addDays(date, -MAX_BREAK))} AND ${textLiteral(date)}`
  const state = figureState({ where, closes }, ['strike', figure], versions)
  const found = rowsOf(
    await connection.read(`SELECT toUnixTimestamp64Milli(ts) AS t, toString(fidelity) AS level, is_current, strike, ${figure}
FROM (${state}) ORDER BY ts DESC LIMIT 1 BY floor((t - ${hours.open}) / ${every})
SETTINGS max_threads = 1`)
  )
  return found.map((read) => heldStrikes(read, figure)).reverse()
}

function heldStrikes(read: Read, figure: StrikeFigure): HeldStrikes {
  const held = { asOf: read['t'] as Instant, fidelity: read['level'] as Fidelity }
  const strikes = Float64Array.from(read['strike'] as readonly number[])
  if (read['is_current'] !== 1 || strikes.length === 0) return { ...held, sums: undefined }
  const values = Float64Array.from(read[figure] as readonly number[], (units) => units / STRIKE_UNITS)
  return { ...held, sums: { strikes, values } }
}

/** Request to export the figures of snapshots taken during trading hours, from `from` to `to`. */
export interface FigureExportRequest extends Span {
  readonly fields: readonly string[]
  readonly format: ExportFormat
}

/**
 * Query that gives one row for each snapshot taken during a session, ascending. A snapshot whose figures are missing or
 * outdated gets no row.
 */
export function figureQuery({ fields, ...span }: FigureExportRequest, versions: FigureVersions): string {
  const figures = fields.map((name) => `${orNull(figureNamed(name))} AS \`${name}\``)
  return `SELECT symbol, ts, ${figures.join(', ')}
FROM (${figureState(within(span), ['field', 'figure'], versions)}) WHERE is_current AND elapsed >= 0 ORDER BY ts SETTINGS format_csv_null_representation = ''`
}

const orNull = (figure: string) => `if(isNaN(${figure}), NULL, ${figure})`
