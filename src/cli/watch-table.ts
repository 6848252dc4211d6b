import type { Update } from '../api/stream-frames.ts'
import { tabulate } from './command.ts'
import { ageOf, changeOf, figureOf } from './watch-figure.ts'
import { partsOf } from './watch-parts.ts'

/** One metric that is watched. */
export interface WatchedRow {
  /** As it was asked for. */
  readonly metric: string
  unit: string | null
  /** Units of the parts of an object, by the ends of their names. */
  units?: ReadonlyMap<string, string | null>
  first: Update | undefined
  latest: Update | undefined
  /** Why the server refuses it. */
  problem: string | undefined
}

export interface WatchedState {
  readonly symbol: string
  readonly address: string
  readonly rows: readonly WatchedRow[]
  /** The connection in words. */
  connection: string
}

/** Characters of a value: sentences and objects are cut here, so that change and age stay in sight. */
const MAX_VALUE_WIDTH = 40

/**
 * What the terminal shows: a heading with the moment of the newest data, a row for each metric with the age of its data,
 * one for each part of an object, and what was refused. No line is wider than the terminal.
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

/** The row of a metric; of an object a row for each part below it, as the name goes on. */
function cellsOf({ metric, unit, units, first, latest, problem }: WatchedRow, now: number): readonly string[][] {
  if (latest === undefined) return [[metric, problem === undefined ? 'waiting' : 'refused', '', '']]
  const age = `${ageOf(now - latest.ts)}${latest.stale ? ' stale' : ''}`
  const key = latest.key === undefined ? '' : ` (${latest.key})`
  const parts = partsOf(latest.value)
  if (parts === undefined) {
    const figure = cut(figureOf(latest.value, unit), MAX_VALUE_WIDTH)
    return [[metric, `${figure}${key}`, changeOf(latest.value, first?.value, unit), age]]
  }
  const before = new Map(partsOf(first?.value ?? null)?.map(({ path, value }) => [path, value]))
  const rows = parts.map(({ path, value }) => {
    const unit = units?.get(path.replace(/\[[^\]]*\]/g, '[*]')) ?? null
    return [`  ${path}`, cut(figureOf(value, unit), MAX_VALUE_WIDTH), changeOf(value, before.get(path), unit), '']
  })
  return [[metric, parts.length === 0 ? 'none' : key.trim(), '', age], ...rows]
}

/** One line for a changed value, for programs to read: the moment of the data, symbol, metric, value as JSON. */
export function changeLine(symbol: string, metric: string, { ts, value }: Update): string {
  return `${new Date(ts).toISOString()} ${symbol} ${metric} ${JSON.stringify(value)}`
}

/** Without what a server may have put into a text to move the cursor, and cut where the terminal ends. */
function cut(line: string, columns: number): string {
  const plain = line.replace(/\p{C}/gu, '?')
  return plain.length < columns ? plain : `${plain.slice(0, Math.max(1, columns - 2))}…`
}
