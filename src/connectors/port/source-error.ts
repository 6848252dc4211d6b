/**
 * The ways in which a source fails: it is not there or broken; it asks for fewer requests; it denies the data (no right,
 * no plan, a bad key); it answers with something that cannot be read; it does not answer in time.
 */
export type SourceFault = 'unavailable' | 'rate_limited' | 'refused' | 'malformed' | 'timeout'

/** A source that could not answer now. What was last known stays true; `retryAfter` is the source's own wish, in ms. */
export class SourceError extends Error {
  readonly fault: SourceFault
  readonly retryAfter: number | undefined

  constructor(fault: SourceFault, message: string, retryAfter?: number) {
    super(message)
    this.name = 'SourceError'
    this.fault = fault
    this.retryAfter = retryAfter
  }
}
