import type { Update } from '../../api/stream-frames.ts'
import { tabulate } from '../command.ts'
import { ageOf, changeOf, formattedValue, partsOf } from './watch-values.ts'

export interface WatchedRow {
  /** The metric as the user typed it. */
  readonly metric: string
  unit: string | null
  /** For an object value: the unit of each part, by its path below the metric. */
  units?: ReadonlyMap<string, string | null>
  first: Update | undefined
  latest: Update | undefined
  problem: string | undefined
}

export interface WatchedState {
  readonly symbol: string
  readonly address: string
  readonly rows: readonly WatchedRow[]
  /** State of the connection as shown to the user, such as `connecting`. */
  connection: string
}

/** Maximum width of a value, characters. Longer values are cut so that change and age stay visible. */
const MAX_VALUE_WIDTH = 40

/**
 * Lines of the table. First a heading with the time of the newest data, then a row for each metric and each part of an
 * object value, then the refused metrics. No line is wider than the terminal.
 */
export function watchLines(
  { symbol, address, rows, connection }: WatchedState,
  now: number,
  { columns, lines }: { readonly columns: number; readonly lines: number }
): readonly string[] {
  const cells = rows.flatMap((row) => cellsOf(row, now))
  const table = tabulate(['METRIC', 'VALUE', 'CHANGE', 'AGE'], cells).split('\n')
  const refusals = rows.flatMap(({ metric, problem }) => (problem === undefined ? [] : [`${metric}: ${problem}`]))
  const below = refusals.length === 0 ? [] : ['', ...refusals]
  const newest = Math.max(...rows.map(({ latest }) => latest?.ts ?? 0))
  const moment = newest === 0 ? '' : `  as of ${new Date(newest).toISOString()}, ${ageOf(now - newest)} old`
  const all = [`${symbol}  ${address}  ${connection}${moment}`, '', ...table, ...below]
  const most = Math.max(4, lines - 1)
  const shown = all.length <= most ? all : [...all.slice(0, most - 1), `... and ${all.length - most + 1} more`]
  return shown.map((line) => cut(line, columns))
}

/** Cells of a metric's row. If its value is an object, rows for its parts follow. */
function cellsOf({ metric, unit, units, first, latest, problem }: WatchedRow, now: number): readonly string[][] {
  if (latest === undefined) return [[metric, problem === undefined ? 'waiting' : 'refused', '', '']]
  const age = `${ageOf(now - latest.ts)}${latest.stale ? ' stale' : ''}`
  const key = latest.key === undefined ? '' : ` (${latest.key})`
  const parts = partsOf(latest.value)
  if (parts === undefined) {
    const figure = cut(formattedValue(latest.value, unit), MAX_VALUE_WIDTH)
    return [[metric, `${figure}${key}`, changeOf(latest.value, first?.value, unit), age]]
  }
  const before = new Map(partsOf(first?.value ?? null)?.map(({ path, value }) => [path, value]))
  const rows = parts.map(({ path, value }) => {
    const unit = units?.get(path.replace(/\[[^\]]*\]/g, '[*]')) ?? null
    return [`  ${path}`, cut(formattedValue(value, unit), MAX_VALUE_WIDTH), changeOf(value, before.get(path), unit), '']
  })
  return [[metric, parts.length === 0 ? 'none' : key.trim(), '', age], ...rows]
}

/** Formats one changed value as a line for programs: time of the data, symbol, metric, value as JSON. */
export function changeLine(symbol: string, metric: string, { ts, value }: Update): string {
  return `${new Date(ts).toISOString()} ${symbol} ${metric} ${JSON.stringify(value)}`
}

/** Replaces control characters, which could move the cursor, and cuts the line to the width of the terminal. */
function cut(line: string, columns: number): string {
  const plain = line.replace(/\p{C}/gu, '?')
  return plain.length < columns ? plain : `${plain.slice(0, Math.max(1, columns - 2))}…`
}
