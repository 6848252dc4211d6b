import { type FileHandle, open } from 'node:fs/promises'
import type { DatabaseStore } from '../archive/clickhouse/database-store.ts'
import type { Note } from '../imports/import-writer.ts'
import { session } from '../market/calendar.ts'
import { easternDate, easternDateTime } from '../market/eastern.ts'
import type { Instant, Ticker } from '../market/units.ts'
import type { ExportedFigure, FigureExport } from './job.ts'
import { JobError } from './job.ts'

/** An answer of the service about a moment of the past, as JSON text, or why there is none. */
export type PastAnswer = { readonly body: string } | { readonly refused: string }

/** The answers of the service about the past, as replay gives them. */
export interface PastFigures {
  /** The paths of the single figures that such an answer may hold, in its order: symbol, levels.gamma_flip. */
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
 * Writes the answers about every recorded moment of a span into a new file: as they are, one in each line, or as a table
 * with a row for each moment and a column for each single figure, lists left out. Moments before an opening have no
 * answer; of others without one the first is told at the end.
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
  const file = await open(path, 'wx')
  try {
    if (columns !== undefined) await file.appendFile(`${columns.join(',')}\n`)
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

/** Replay answers for no moment before the opening. */
function isReplayed(at: Instant): boolean {
  return at >= (session(easternDate(at))?.open ?? Number.POSITIVE_INFINITY)
}

async function append(file: FileHandle, body: string, columns: readonly string[] | undefined): Promise<void> {
  const line = columns === undefined ? body : rowOf(JSON.parse(body), columns)
  await file.appendFile(`${line}\n`)
}

function rowOf(answer: unknown, columns: readonly string[]): string {
  return columns.map((path) => cell(path.split('.').reduce(fieldOf, answer))).join(',')
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}

/** Numbers as the answer prints them, which are the shortest decimals; null is an empty cell. Source: RFC 4180. */
function cell(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = String(value)
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
