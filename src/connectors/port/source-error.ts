import type { RefusalReason } from '../../market/examination.ts'
import type { Instant } from '../../market/units.ts'

/**
 * Ways in which a source fails: it is down or broken (`unavailable`), asks for fewer requests (`rate_limited`), denies
 * the data because of rights, plan or key (`refused`), answers with something unreadable (`malformed`), or does not
 * answer in time (`timeout`).
 */
export type SourceFault = 'unavailable' | 'rate_limited' | 'refused' | 'malformed' | 'timeout'

/** A payload that arrived and was refused. */
export interface RefusedPayload {
  readonly reason: RefusalReason
  /** The claim on which consecutive polls may agree so that the payload is accepted after all, see `market/examination.ts`. */
  readonly claim: string | undefined
  /** The moment the payload claims to show; undefined if unreadable. */
  readonly asOf: Instant | undefined
  /** The payload as it arrived; undefined if it is not to be kept. */
  readonly payload: Uint8Array | undefined
}

/** Reads a payload. If that fails, the error carries the payload. */
export function readingOf<Read>(payload: Uint8Array, read: (payload: Uint8Array) => Read): Read {
  try {
    return read(payload)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    const refused = { reason: 'malformed', claim: undefined, asOf: undefined, payload } as const
    throw new SourceError(error.fault, error.message, error.retryAfter, refused)
  }
}

/**
 * A source that could not answer now; what was last known stays valid. `retryAfter` is the pause that the source asks
 * for, milliseconds.
 */
export class SourceError extends Error {
  readonly fault: SourceFault
  readonly retryAfter: number | undefined
  /** The payload, if the source did answer and the answer was refused. */
  readonly refused: RefusedPayload | undefined

  constructor(fault: SourceFault, message: string, retryAfter?: number, refused?: RefusedPayload) {
    super(message)
    this.name = 'SourceError'
    this.fault = fault
    this.retryAfter = retryAfter
    this.refused = refused
  }
}

/**
 * Whether a second attempt may succeed: the source was unavailable, or asks for a pause of at most `longestPause`
 * milliseconds.
 */
export function isTemporary(error: unknown, longestPause = Number.POSITIVE_INFINITY): boolean {
  if (!(error instanceof SourceError)) return false
  const { fault, retryAfter = Number.POSITIVE_INFINITY } = error
  return fault === 'unavailable' || (fault === 'rate_limited' && retryAfter <= longestPause)
}
