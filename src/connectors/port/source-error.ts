import type { RefusalReason } from '../../market/examination.ts'
import type { Instant } from '../../market/units.ts'

/**
 * The ways in which a source fails: it is not there or broken; it asks for fewer requests; it denies the data (no right,
 * no plan, a bad key); it answers with something that cannot be read; it does not answer in time.
 */
export type SourceFault = 'unavailable' | 'rate_limited' | 'refused' | 'malformed' | 'timeout'

/** A payload that came and was refused. */
export interface RefusedPayload {
  readonly reason: RefusalReason
  /** What it says that polls in a row may agree on, see `Refusal` of the examination. */
  readonly claim: string | undefined
  /** The moment it says it shows; undefined where it could not be read. */
  readonly asOf: Instant | undefined
  /** As it came; undefined where there is none to be kept. */
  readonly payload: Uint8Array | undefined
}

/** Reads a payload. One that cannot be used is thrown with what was received. */
export function readingOf<Read>(payload: Uint8Array, read: (payload: Uint8Array) => Read): Read {
  try {
    return read(payload)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    const refused = { reason: 'malformed', claim: undefined, asOf: undefined, payload } as const
    throw new SourceError(error.fault, error.message, error.retryAfter, refused)
  }
}

/** A source that could not answer now. What was last known stays true; `retryAfter` is the source's own wish, in ms. */
export class SourceError extends Error {
  readonly fault: SourceFault
  readonly retryAfter: number | undefined
  /** The source did answer, and what it said is not believed. */
  readonly refused: RefusedPayload | undefined

  constructor(fault: SourceFault, message: string, retryAfter?: number, refused?: RefusedPayload) {
    super(message)
    this.name = 'SourceError'
    this.fault = fault
    this.retryAfter = retryAfter
    this.refused = refused
  }
}
