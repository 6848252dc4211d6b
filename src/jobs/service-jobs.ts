import { isDeepStrictEqual } from 'node:util'
import { addedRenames } from '../market/renames.ts'
import type { IsoDate, Ticker } from '../market/units.ts'
import type { Assumptions } from '../pricing/assumptions.ts'
import { type BackfillJob, JobError, readJob } from './job.ts'
import type { JobContext, JobListener, JobOutcome, JobStore, RunJob } from './run-job.ts'

export interface ServiceJobOptions {
  readonly runJob: RunJob
  /** Archive of the service, or the reason for having none. */
  readonly history: { readonly store: JobStore | undefined; readonly reason?: string | undefined }
  /** Whether the market is synthetic: synthetic days must not mix with real ones. */
  readonly synthetic: boolean
  readonly seed: number
  readonly assumptions: Assumptions
  readonly confidence?: number | undefined
  readonly now: () => number
  readonly replayFrom?: IsoDate | undefined
  readonly figures?: JobContext['figures']
  /** Called when a symbol's bars, records, dividends, earnings, tapes or snapshots in the archive changed. */
  readonly onDays: (
    symbol: Ticker,
    written: 'bars' | 'records' | 'dividends' | 'earnings' | 'tapes' | 'snapshots'
  ) => void
}

/**
 * Returns a function that reads a job from JSON and returns the job's runner. Throws a JobError if the job cannot be
 * done.
 */
export function serviceJobs(options: ServiceJobOptions) {
  const { runJob, history, synthetic, seed, assumptions, confidence, now, replayFrom, figures, onDays } = options
  return (document: unknown): ((listener: JobListener) => Promise<JobOutcome>) => {
    const job = readJob(document)
    const { store } = history
    if (store === undefined) throw new JobError(`the service keeps no history: ${history.reason}`)
    if (job.work === 'backfill' && !synthetic) {
      throw new JobError('the service records real days; synthetic days cannot be mixed with them')
    }
    if (job.work === 'backfill' && !isSameMarket(job, { seed, assumptions })) {
      throw new JobError(
        'the service that has the data folder makes another market: ' +
          'leave --seed, --rate, --dividend-yield and their variables out, or stop it'
      )
    }
    return async (listener) => {
      const taped = new Set<Ticker>()
      const snapped = new Set<Ticker>()
      const onTape = (symbol: Ticker) => taped.add(symbol)
      const onSnapshot = (symbol: Ticker) => snapped.add(symbol)
      const notifyingStore = notifying(store, onDays, onTape, onSnapshot)
      const renames = addedRenames() // they may have been read anew since the start
      const context = { store: notifyingStore, seed, assumptions, confidence, now: now(), replayFrom, figures, renames }
      try {
        return await runJob(job, context, listener)
      } finally {
        for (const symbol of taped) onDays(symbol, 'tapes')
        for (const symbol of snapped) onDays(symbol, 'snapshots')
      }
    }
  }
}

/** Whether the caller's synthetic market settings equal the service's; absent settings match. */
function isSameMarket(
  { seed, assumptions = {} }: BackfillJob,
  own: Pick<ServiceJobOptions, 'seed' | 'assumptions'>
): boolean {
  if (seed !== undefined && seed !== own.seed) return false
  if (typeof assumptions !== 'object' || assumptions === null) return false
  // Both are compared as JSON, so that the order of dividend yields does not matter.
  const ours: Readonly<Record<string, unknown>> = JSON.parse(JSON.stringify(own.assumptions))
  return Object.entries(assumptions).every(
    ([name, value]) => value === undefined || isDeepStrictEqual(value, ours[name])
  )
}

/**
 * Wraps the archive: calls `onDays` for symbols whose days were written, `onTape` for a symbol whose tape and
 * `onSnapshot` for one whose snapshots will be complete at the end of the job.
 */
function notifying(
  store: JobStore,
  onDays: ServiceJobOptions['onDays'],
  onTape: (symbol: Ticker) => void,
  onSnapshot: (symbol: Ticker) => void
): JobStore {
  return {
    ...store,
    async writeSnapshots(snapshots) {
      await store.writeSnapshots(snapshots)
      for (const { chain } of snapshots) onSnapshot(chain.symbol)
    },
    async deleteTape(id) {
      onTape(id.symbol)
      await store.deleteTape(id)
    },
    async writeBars(symbol, bars, fidelity) {
      await store.writeBars(symbol, bars, fidelity)
      onDays(symbol, 'bars')
    },
    async writeRecords(symbol, records) {
      await store.writeRecords(symbol, records)
      onDays(symbol, 'records')
    },
    async writeDividends(symbol, dividends) {
      await store.writeDividends(symbol, dividends)
      onDays(symbol, 'dividends')
    },
    async writeSplits(symbol, splits) {
      await store.writeSplits(symbol, splits)
      onDays(symbol, 'bars')
      onDays(symbol, 'records')
      onDays(symbol, 'snapshots')
    },
    async writeEarnings(statements) {
      await store.writeEarnings(statements)
      for (const symbol of new Set(statements.map((statement) => statement.symbol))) onDays(symbol, 'earnings')
    },
    async writeEventRecords(symbol, records) {
      await store.writeEventRecords(symbol, records)
      onDays(symbol, 'earnings')
    }
  }
}
