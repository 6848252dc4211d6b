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
}

/** Reads what is to be done and returns what does it. Throws a JobError where it cannot be done. */
export function orders({ perform, history, synthetic, seed, assumptions, now }: OrderOptions) {
  return (order: unknown): ((listener: Listener) => Promise<Outcome>) => {
    const job = readJob(order)
    const { store } = history
    if (store === undefined) throw new JobError(`the service keeps no history: ${history.reason}`)
    if (job.work === 'backfill' && !synthetic) {
      throw new JobError('the service keeps real days: made-up ones do not belong among them')
    }
    return (listener) => perform(job, { store, seed, assumptions, now: now() }, listener)
  }
}
