import type { Instant } from '../market/units.ts'
import type { Assumptions } from '../pricing/carry.ts'
import type { Job } from './job.ts'
import type { JobStore, Outcome } from './run-job.ts'
import type { SerializedError } from './serialized-error.ts'

/** What a thread is started with. */
export interface ThreadOrder {
  readonly job: Job
  readonly seed: number
  readonly assumptions: Assumptions
  readonly now: Instant
}

/** The thread asks for something of the archive, or has something to tell. */
export interface Call {
  readonly id: number
  readonly method: keyof JobStore | 'tell'
  readonly args: unknown[]
}

export type Reply = { readonly id: number } & ({ readonly result: unknown } | SerializedError)

export type FromThread = Call | { readonly outcome: Outcome } | SerializedError
