import type { DatabaseStore } from '../archive/clickhouse/database-store.ts'
import type { ChainSnapshot } from '../archive/history-store.ts'
import { createSynthetic } from '../connectors/synthetic/synthetic-connector.ts'
import { importFormats } from '../imports/import-formats.ts'
import { createImportWriter, emptyTally, type Note, type Tally } from '../imports/import-writer.ts'
import { addDays } from '../market/calendar.ts'
import { instantOfEastern } from '../market/eastern.ts'
import { type Rename, useRenames } from '../market/renames.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import { type Assumptions, ratesIndexOf } from '../pricing/assumptions.ts'
import type { BandAccuracy } from '../signals/band-accuracy.ts'
import type { PastFigures } from './export-figures.ts'
import { exportFile } from './export-file.ts'
import { type FigureMaking, makeFigureRows, trackDays } from './figure-rows.ts'
import { ImportedCloses } from './imported-closes.ts'
import type { Job } from './job.ts'
import { makeDailyRecords, trackCloses } from './make-daily-records.ts'
import { makeEventRecords, trackCompanies } from './make-event-records.ts'
import { readBandAccuracies } from './read-band-accuracies.ts'
import { warnBeforeReplay } from './replay-from.ts'
import { compareSettlements, type SessionAccuracy } from './settlement-accuracy.ts'
import { backfill } from './synthetic-backfill.ts'

export interface JobContext {
  readonly store: JobStore
  readonly seed: number
  readonly assumptions: Assumptions
  /**
   * Share of net volume (contracts bought minus contracts sold) that is assumed to change open interest; if absent, the
   * source's default.
   */
  readonly confidence?: number | undefined
  readonly now: Instant
  /** First day for which the host for historical data gives responses, if known. */
  readonly replayFrom?: IsoDate | undefined
  /** Renames of companies that the operator has stated. The job runs on a thread that does not know them yet. */
  readonly renames?: readonly Rename[] | undefined
  /** Required to export responses. Also computes figures over time of imported or generated snapshots. */
  readonly figures?: (PastFigures & FigureMaking) | undefined
}

export const jobStoreMethods = [
  'writeSnapshots',
  'writeBars',
  'writeRecords',
  'writeDividends',
  'writeSplits',
  'writeEarnings',
  'writeEventRecords',
  'writeTapes',
  'writeZeroDte',
  'writePressure',
  'writeCustomers',
  'deleteTape',
  'waitingFigures',
  'bars',
  'records',
  'bandErrors',
  'customers',
  'dividends',
  'splits',
  'earnings',
  'eventRecords',
  'closingSnapshot',
  'snapshot',
  'tape',
  'tapedSymbols',
  'coverage',
  'symbols',
  'moments',
  'writeTableText',
  'exportQuotes',
  'exportPrints',
  'exportFigures',
  'tapedSessions'
] as const satisfies readonly (keyof DatabaseStore)[]

export type JobStore = Pick<DatabaseStore, (typeof jobStoreMethods)[number]>

export interface JobOutcome {
  /** False if the job was stopped early. Everything it wrote stays, and the same job resumes from there. */
  readonly complete: boolean
  readonly tally: Tally
  readonly bytes: number | undefined
  readonly accuracy?: readonly SessionAccuracy[]
  readonly bands?: readonly BandAccuracy[]
}

/** Caller of a job: receives progress notes and can stop the job. */
export interface JobListener {
  readonly onNote: (note: Note) => void | Promise<void>
  readonly signal: AbortSignal
}

export type RunJob = (job: Job, context: JobContext, listener: JobListener) => Promise<JobOutcome>

/** Runs a job until it is done or `signal` aborts. */
export const runJob: RunJob = async (job, context, { onNote, signal }) => {
  const { store, renames } = context
  if (renames !== undefined) useRenames(renames)
  if (job.work === 'export') {
    const onSize = (bytes: number) =>
      void onNote({ kind: 'progress', what: job.path, done: bytes, total: 0, tally: emptyTally })
    const bytes = await exportFile(job, { ...context, onSize, onNote, signal })
    return { complete: !signal.aborted, tally: emptyTally, bytes }
  }
  if (job.work === 'accuracy') {
    const progress = (what: string, done: number, total: number) =>
      onNote({ kind: 'progress', what, done, total, tally: emptyTally })
    const accuracy = await compareSettlements(job, { ...context, signal, progress })
    const bands = await readBandAccuracies(job.symbols ?? (await store.symbols()), store, job.asOf ?? context.now)
    return { complete: !signal.aborted, tally: emptyTally, bytes: undefined, accuracy, bands }
  }
  const recorded = job.work === 'import' && job.replace !== true ? recordedMoments(store) : undefined
  const { figures } = context
  const closes = job.work === 'import' ? new ImportedCloses({ ...context, signal }) : undefined
  // The archive's thread computes the figures of written chains while this one prices their closes.
  const onWritten = async (snapshots: readonly ChainSnapshot[]) => {
    await Promise.all([figures?.makeFiguresOf(snapshots), closes?.add(snapshots)])
  }
  const waitingBefore = figures === undefined ? [] : await store.waitingFigures(Number.MAX_SAFE_INTEGER)
  const rowsPerWrite = job.work === 'backfill' ? ROWS_PER_BACKFILL : undefined
  const plain = createImportWriter({ store, onNote, signal, recorded, onWritten, rowsPerWrite })
  const { writer: tracked, days } = trackCloses(warnBeforeReplay(plain, context.replayFrom, onNote))
  const { writer: watched, companies } = trackCompanies(tracked)
  const { writer, days: written } = trackDays(watched)
  if (job.work === 'import') {
    // The rates of figures come from the chains of an index: with those there first, nothing is computed twice.
    const writtenFirst = ratesIndexOf(context.assumptions)
    await importFormats[job.format].read({ ...job, ...context, writtenFirst, archive: store }, writer)
  } else {
    const connector = createSynthetic({ seed: context.seed })
    await backfill(job, { ...context, connector }, writer)
  }
  const tally = await writer.finish()
  if (job.work === 'import' && job.dryRun === true) return { complete: !signal.aborted, tally, bytes: undefined }
  const progress = (what: string, done: number, total: number) => onNote({ kind: 'progress', what, done, total, tally })
  if (job.work === 'import') await makeDailyRecords(days, { ...context, closes, signal, progress })
  const symbols = job.work === 'backfill' ? job.symbols : [...new Set([...days.keys(), ...companies])]
  await makeEventRecords(symbols, { ...context, signal, progress })
  await makeFigureRows(written, { ...context, waitingBefore, signal, progress, onNote })
  return { complete: !signal.aborted, tally, bytes: undefined }
}

/**
 * Returns a function that lists the times of a day at which the service itself recorded a symbol. It reads a month at
 * once, and nothing of symbols that the archive does not have.
 */
function recordedMoments(store: Pick<JobStore, 'moments' | 'symbols'>) {
  let known: Promise<ReadonlySet<Ticker>> | undefined
  let month = { name: '', moments: Promise.resolve<ReadonlySet<Instant>>(new Set()) }
  return async (symbol: Ticker, date: IsoDate): Promise<ReadonlySet<Instant>> => {
    known ??= store.symbols().then((symbols) => new Set(symbols))
    if (!(await known).has(symbol)) return new Set()
    const first = `${date.slice(0, 8)}01` as IsoDate
    const name = `${symbol} ${first}`
    if (month.name !== name) month = { name, moments: momentsFrom(symbol, first) }
    return month.moments
  }

  async function momentsFrom(symbol: Ticker, first: IsoDate): Promise<ReadonlySet<Instant>> {
    const from = instantOfEastern(first, 0)
    const held = await store.moments(symbol, from, instantOfEastern(addDays(first, DAYS_OF_MONTH), 0))
    return new Set(held.filter(({ fidelity }) => fidelity === 'recorded').map(({ asOf }) => asOf))
  }
}

const DAYS_OF_MONTH = 31
/** Contract rows per write of a backfill. Before figures are made of what was written, the archive is asked several times. */
const ROWS_PER_BACKFILL = 250_000
