import type { RawAnswer } from '../../connectors/port/capture/capture.ts'
import type { Instant } from '../../market/units.ts'

export interface AnswerCount {
  readonly answers: number
  readonly bytes: number
  /** Milliseconds by which the source's clock is ahead of ours; undefined if its responses have no Date header. */
  readonly ahead: number | undefined
}

export class AnswerCounts {
  readonly #counts = new Map<string, AnswerCount>()
  readonly #wallNow: () => Instant

  constructor(wallNow: () => Instant) {
    this.#wallNow = wallNow
  }

  add(source: string, { headers, bytes }: RawAnswer): void {
    const known = this.of(source)
    // The Date header has whole seconds; half a second more is right on average.
    const sourceTime = Date.parse(headers.get('date') ?? '') + 500
    const ahead = Number.isFinite(sourceTime) ? sourceTime - this.#wallNow() : known.ahead
    this.#counts.set(source, { answers: known.answers + 1, bytes: known.bytes + bytes.length, ahead })
  }

  of(source: string): AnswerCount {
    return this.#counts.get(source) ?? { answers: 0, bytes: 0, ahead: undefined }
  }
}
