import type { GateVerdict } from '../../gate/gate.ts'
import type { Instant } from '../../market/units.ts'

/**
 * Ways in which a source fails: it is down or broken (`unavailable`), requires fewer requests (`rate_limited`), denies
 * the data because of rights, plan or key (`refused`), sends something unreadable (`malformed`), or does not respond in
 * time (`timeout`).
 */
export type SourceFault = 'unavailable' | 'rate_limited' | 'refused' | 'malformed' | 'timeout'

/**
 * A payload that the source sent and that we did not accept, e.g. because it is unreadable or out of date; see
 * `gate/gate.ts`.
 */
export interface HeldBackPayload {
  readonly verdict: Exclude<GateVerdict, { readonly kind: 'taken' }>
  /** Market time that the payload states; undefined if unreadable, or ahead of the source's own clock. */
  readonly asOf: Instant | undefined
  /** The raw payload, to be kept for inspection; undefined if it need not be kept. */
  readonly payload: Uint8Array | undefined
}

/** Parses a payload. If that fails with a `SourceError`, the payload is attached to the error. */
export function readingOf<Read>(payload: Uint8Array, read: (payload: Uint8Array) => Read): Read {
  try {
    return read(payload)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    const verdict = { kind: 'refused', reason: 'malformed', message: error.message } as const
    throw new SourceError(error.fault, error.message, error.retryAfter, { verdict, asOf: undefined, payload })
  }
}

/**
 * Thrown if a source cannot supply data now; the last known data stays valid. `retryAfter` is the pause that the source
 * asks for, milliseconds.
 */
export class SourceError extends Error {
  readonly fault: SourceFault
  readonly retryAfter: number | undefined
  /** The payload that the source sent and that we did not accept; undefined if it sent none. */
  readonly heldBack: HeldBackPayload | undefined

  constructor(fault: SourceFault, message: string, retryAfter?: number, heldBack?: HeldBackPayload) {
    super(message)
    this.name = 'SourceError'
    this.fault = fault
    this.retryAfter = retryAfter
    this.heldBack = heldBack
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
