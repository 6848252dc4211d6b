import { access, rename, rm, stat, writeFile } from 'node:fs/promises'
import type { DatabaseStore } from '../archive/clickhouse/database-store.ts'
import type { CoveredDay, HistoryStore } from '../archive/history-store.ts'
import { seriesFieldNames } from '../endpoints/series/fields.ts'
import { type Note, reasonOf } from '../imports/import-writer.ts'
import { addDays } from '../market/calendar.ts'
import { instantOfEastern } from '../market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import { exportFigureRows, type PastFigures } from './export-figures.ts'
import type { ExportJob, SeriesExport } from './job.ts'
import { JobError } from './job.ts'
import { writeLeanFolder } from './lean/lean-folder.ts'

/** Interval between reports of the file's size, milliseconds. */
const SIZE_EVERY = 500
const MAX_NAMED = 20

export interface ExportOptions {
  readonly store: Pick<
    DatabaseStore,
    | 'exportQuotes'
    | 'exportPrints'
    | 'exportFigures'
    | 'waitingFigures'
    | 'tapedSessions'
    | 'coverage'
    | 'symbols'
    | 'moments'
    | 'snapshot'
    | 'bars'
  >
  /** Computes the responses that are exported. Required only if the job exports responses. */
  readonly figures?: PastFigures | undefined
  readonly onSize: (bytes: number) => void
  readonly onNote: (note: Note) => void | Promise<void>
  readonly signal: AbortSignal
}

/**
 * Writes a symbol's quotes, prints, figures over time, or responses to a file, or a folder for LEAN. Either gets its name
 * once it is complete.
 * Resolves to the file's size in bytes, or 0 if stopped. Throws a JobError if there is nothing to write.
 */
export async function exportFile(job: ExportJob, { onSize, ...options }: ExportOptions): Promise<number> {
  const { path, symbol } = job
  const { store, signal } = options
  if (await exists(path)) throw new JobError(`${path} is there already: name another file or remove it`)
  const partial = `${path}.part`
  await checkWritable(partial)
  const span = spanOf(job)
  if (job.what === 'lean') {
    const writeFigures = (file: string) => writeSeries({ ...job, format: 'csv' }, span, file, options)
    return writeLeanFolder(job, span.to, { store, writeFigures, onSize, signal })
  }
  await (job.what === 'prints' ? refuseNoPrints : refuseNothing)(job, store)
  const timer = setInterval(() => void stat(partial).then(({ size }) => onSize(size), ignore), SIZE_EVERY)
  try {
    if (job.what === undefined) {
      await store.exportQuotes({ symbol, format: job.format, ...span }, partial)
    } else if (job.what === 'prints') {
      await store.exportPrints({ symbol, format: job.format, from: job.from, to: job.to }, partial)
    } else if (job.what === 'series') await writeSeries(job, span, partial, options)
    else await exportFigureRows(job, span, partial, options)
    if (signal.aborted) return 0
    const { size } = await stat(partial)
    await rename(partial, path)
    return size
  } finally {
    clearInterval(timer)
    await rm(partial, { force: true })
  }
}

/** Converts the export's days (New York) to times [from, to). */
function spanOf({ from, to }: ExportJob): { readonly from: Instant; readonly to: Instant } {
  return { from: instantOfEastern(from, 0), to: instantOfEastern(addDays(to, 1), 0) }
}

/**
 * Writes the figures of every snapshot of a session. Notes how many snapshots are left out because their figures have
 * not been computed yet.
 */
async function writeSeries(
  { symbol, format }: Pick<SeriesExport, 'symbol' | 'format'>,
  { from, to }: { readonly from: Instant; readonly to: Instant },
  path: string,
  { store, onNote }: Pick<ExportOptions, 'store' | 'onNote'>
): Promise<void> {
  const fields = seriesFieldNames
  await store.exportFigures({ symbol, from, to: to - 1, fields, format }, path)
  const days = await store.waitingFigures(to, symbol)
  const left = days.flatMap(({ moments }) => moments.filter((at) => at >= from)).length
  if (left === 0) return
  const text = `${left} snapshots are left out or lack figures of prints: theirs wait to be made, which a running service does`
  await onNote({ kind: 'warning', text })
}

const ignore = () => {}

/**
 * Throws if the request matches nothing, and lists what the archive holds: a file without rows would look like a
 * result.
 */
async function refuseNothing(
  { symbol, from, to, what }: ExportJob,
  store: Pick<HistoryStore, 'coverage' | 'symbols'>
): Promise<void> {
  const days = (await store.coverage(symbol))?.days ?? []
  if (days.length === 0) throw new JobError(`nothing of ${symbol} was ever recorded; ${held(await store.symbols())}`)
  const asked = days.filter(({ date }) => date >= from && date <= to)
  if (asked.length === 0) {
    throw new JobError(`nothing of ${symbol} was recorded ${spanText(from, to)}; the history has it ${extent(days)}`)
  }
  if (what === undefined && !asked.some(({ hasOptions }) => hasOptions)) {
    throw new JobError(`no options of ${symbol} were recorded ${spanText(from, to)}: its level alone was`)
  }
}

/** Throws if a print export matches nothing. Prints can exist without quotes if only prints were imported. */
async function refuseNoPrints(
  { symbol, from, to }: ExportJob,
  store: Pick<DatabaseStore, 'tapedSessions'>
): Promise<void> {
  const days = await store.tapedSessions(symbol)
  if (days.length === 0) throw new JobError(`no prints of options on ${symbol} were ever recorded`)
  if (days.some((date) => date >= from && date <= to)) return
  const extent = spanText(days[0], days.at(-1)!)
  throw new JobError(
    `no prints of options on ${symbol} were recorded ${spanText(from, to)}; the history has them ${extent}`
  )
}

function held(symbols: readonly Ticker[]): string {
  if (symbols.length === 0) return 'the history is empty'
  const more = symbols.length > MAX_NAMED ? ` and ${symbols.length - MAX_NAMED} more` : ''
  return `the history has ${symbols.slice(0, MAX_NAMED).join(', ')}${more}`
}

function extent(days: readonly CoveredDay[]): string {
  const [first, last] = [days[0].date, days.at(-1)!.date]
  return first === last ? `on ${first}` : `on ${days.length} days ${spanText(first, last)}`
}

function spanText(from: IsoDate, to: IsoDate): string {
  return from === to ? `on ${from}` : `from ${from} to ${to}`
}

/** Throws a JobError if the file cannot be created; the database can only write new files. */
async function checkWritable(path: string): Promise<void> {
  try {
    await writeFile(path, '', { mode: 0o600 })
    await rm(path)
  } catch (error) {
    throw new JobError(`the file cannot be written: ${reasonOf(error)}`)
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false
  )
}
