import type { Ticker } from '../market/units.ts'
import type { Assumptions } from '../pricing/carry.ts'
import { JobError, readJob } from './job.ts'
import type { JobStore, Listener, Outcome, Perform } from './perform.ts'

export interface OrderOptions {
  readonly perform: Perform
  /** The archive of the service, or why there is none. */
  readonly history: { readonly store: JobStore | undefined; readonly reason?: string | undefined }
  /** Whether the service lives on a made-up market; its past has no place among real days. */
  readonly synthetic: boolean
  readonly seed: number
  readonly assumptions: Assumptions
  readonly now: () => number
  /** The archive has other daily bars or records of a symbol than before. */
  readonly onDays: (symbol: Ticker) => void
}

/** Reads what is to be done and returns what does it. Throws a JobError where it cannot be done. */
export function orders({ perform, history, synthetic, seed, assumptions, now, onDays }: OrderOptions) {
  return (order: unknown): ((listener: Listener) => Promise<Outcome>) => {
    const job = readJob(order)
    const { store } = history
    if (store === undefined) throw new JobError(`the service keeps no history: ${history.reason}`)
    if (job.work === 'backfill' && !synthetic) {
      throw new JobError('the service keeps real days: made-up ones do not belong among them')
    }
    if (job.work === 'backfill' && !(isSame(job.seed, seed) && isSame(job.assumptions, assumptions))) {
      throw new JobError(
        'the service that has the data folder makes another market: leave --seed, --rate and --dividend-yield out, or stop it'
      )
    }
    return (listener) => perform(job, { store: telling(store, onDays), seed, assumptions, now: now() }, listener)
  }
}

/** Whether a setting is that of the service, or was left to it. */
function isSame(asked: unknown, own: unknown): boolean {
  return asked === undefined || JSON.stringify(asked) === JSON.stringify(own)
}

/** The same archive, telling of every symbol whose days are written. */
function telling(store: JobStore, onDays: (symbol: Ticker) => void): JobStore {
  return {
    ...store,
    async writeBars(symbol, bars, fidelity) {
      await store.writeBars(symbol, bars, fidelity)
      onDays(symbol)
    },
    async writeRecords(symbol, records) {
      await store.writeRecords(symbol, records)
      onDays(symbol)
    }
  }
}
