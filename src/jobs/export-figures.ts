import { type FileHandle, open } from 'node:fs/promises'
import type { DatabaseStore } from '../archive/clickhouse/database-store.ts'
import { csvLine } from '../formats/written-csv.ts'
import type { Note } from '../imports/import-writer.ts'
import { session } from '../market/calendar.ts'
import { easternDate, easternDateTime } from '../market/eastern.ts'
import type { Instant, Ticker } from '../market/units.ts'
import type { ExportedFigure, FigureExport } from './job.ts'
import { JobError } from './job.ts'

/** Response of the service for a past time as JSON text, or the reason for having none. */
export type PastAnswer = { readonly body: string } | { readonly refused: string }

/** Computes the service's responses for past times. They equal the responses of the host for historical data. */
export interface PastFigures {
  /** Paths of the numbers in a response, in its order, such as `levels.gamma_flip`. */
  figureColumns(what: ExportedFigure): Promise<readonly string[]>
  figuresAt(what: ExportedFigure, symbol: Ticker, at: Instant): Promise<PastAnswer>
}

export interface FigureOptions {
  readonly store: Pick<DatabaseStore, 'moments'>
  readonly figures?: PastFigures | undefined
  readonly onNote: (note: Note) => void | Promise<void>
  readonly signal: AbortSignal
}

/**
 * Writes the responses for every recorded time in [from, to) to a new file: as JSON lines, or as a table with one row
 * per time and one column per number (lists left out). Times before the market opens have no response. If other times
 * have none, the first of them is reported at the end.
 */
export async function exportFigureRows(
  { what, symbol, format }: FigureExport,
  { from, to }: { readonly from: Instant; readonly to: Instant },
  path: string,
  { store, figures, onNote, signal }: FigureOptions
): Promise<void> {
  if (figures === undefined) throw new JobError('figures cannot be made here: no answers are at hand')
  const held = await store.moments(symbol, from, to)
  const moments = held.map(({ asOf }) => asOf).filter(isReplayed)
  const columns = format === 'csv' ? await figures.figureColumns(what) : undefined
  const refusals: string[] = []
  const file = await open(path, 'wx', 0o600)
  try {
    if (columns !== undefined) await file.appendFile(`${csvLine(columns)}\n`)
    for (const at of moments) {
      if (signal.aborted) return
      const answer = await figures.figuresAt(what, symbol, at)
      if ('refused' in answer) refusals.push(`${easternDateTime(at)}: ${answer.refused}`)
      else await append(file, answer.body, columns)
    }
  } finally {
    await file.close()
  }
  if (refusals.length === moments.length) {
    throw new JobError(
      `there is no ${what} of ${symbol} to write: ${refusals[0] ?? 'nothing was recorded in a session'}`
    )
  }
  if (refusals.length > 0) {
    const text = `${refusals.length} of ${moments.length} moments have no ${what}, the first at ${refusals[0]}`
    await onNote({ kind: 'warning', text })
  }
}

/** Whether the host for historical data has responses for a time: it has none before the market opens. */
function isReplayed(at: Instant): boolean {
  return at >= (session(easternDate(at))?.open ?? Number.POSITIVE_INFINITY)
}

async function append(file: FileHandle, body: string, columns: readonly string[] | undefined): Promise<void> {
  const line = columns === undefined ? body : rowOf(JSON.parse(body), columns)
  await file.appendFile(`${line}\n`)
}

function rowOf(answer: unknown, columns: readonly string[]): string {
  return csvLine(columns.map((path) => path.split('.').reduce(fieldOf, answer)))
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}
