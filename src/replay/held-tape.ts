import type { RestoredTape } from '../archive/codec/decode-tape.ts'
import type { HeldMoment, TapeHead } from '../archive/history-store.ts'
import type { Instant } from '../market/units.ts'

/** A tape of a past session in memory. */
export interface HeldTape extends TapeHead {
  /** Name under which workers cache results of the tape. Unique over all tapes and readers. */
  readonly name: string
  readonly tape: RestoredTape
  /** Whether the session was over when the tape was read, so that no row can be missing. */
  readonly isWhole: boolean
  /** Snapshots from which the tape was inferred; undefined if its prints were recorded. */
  readonly inferred?: InferredFrom | undefined
}

export interface InferredFrom {
  /** Moments of the snapshots compared so far, ascending. */
  readonly moments: readonly HeldMoment[]
  /** Moment of the first snapshot that could be compared with the one before; undefined if none could. */
  readonly since: Instant | undefined
}
