import type { RefusalReason } from '../../market/examination.ts'
import type { Instant } from '../../market/units.ts'

/**
 * Ways in which a source fails: it is down or broken (`unavailable`), requires fewer requests (`rate_limited`), denies
 * the data because of rights, plan or key (`refused`), sends something unreadable (`malformed`), or does not respond in
 * time (`timeout`).
 */
export type SourceFault = 'unavailable' | 'rate_limited' | 'refused' | 'malformed' | 'timeout'

export interface RefusedPayload {
  readonly reason: RefusalReason
  /**
   * The payload's doubtful claim. If consecutive polls agree on it, the payload is accepted after all, see
   * `market/examination.ts`.
   */
  readonly claim: string | undefined
  /** Market time that the payload states; undefined if unreadable. */
  readonly asOf: Instant | undefined
  /** The raw payload; undefined if it is not to be kept. */
  readonly payload: Uint8Array | undefined
}

/** Parses a payload. If that fails, the error carries the payload. */
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
 * Thrown if a source cannot supply data now; the last known data stays valid. `retryAfter` is the pause that the source
 * requests, milliseconds.
 */
export class SourceError extends Error {
  readonly fault: SourceFault
  readonly retryAfter: number | undefined
  /** The refused payload, if the source did respond. */
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
 * Whether a second attempt may succeed: the source was unavailable, or requests a pause of at most `longestPause`
 * milliseconds.
 */
export function isTemporary(error: unknown, longestPause = Number.POSITIVE_INFINITY): boolean {
  if (!(error instanceof SourceError)) return false
  const { fault, retryAfter = Number.POSITIVE_INFINITY } = error
  return fault === 'unavailable' || (fault === 'rate_limited' && retryAfter <= longestPause)
}
