import type { RawAnswer } from '../connectors/port/capture.ts'
import type { Instant } from '../market/units.ts'

/** What came of a source over HTTP. */
export interface Heard {
  readonly answers: number
  readonly bytes: number
  /** How far the clock of the source is before that of this machine, milliseconds; undefined: it tells no time. */
  readonly ahead: number | undefined
}

/** Counts the answers of sources, by their name. */
export class HeardAnswers {
  readonly #heard = new Map<string, Heard>()
  readonly #wallNow: () => Instant

  constructor(wallNow: () => Instant) {
    this.#wallNow = wallNow
  }

  take(source: string, { headers, bytes }: RawAnswer): void {
    const known = this.of(source)
    // The header has whole seconds: half of one is the best guess.
    const told = Date.parse(headers.get('date') ?? '') + 500
    const ahead = Number.isFinite(told) ? told - this.#wallNow() : known.ahead
    this.#heard.set(source, { answers: known.answers + 1, bytes: known.bytes + bytes.length, ahead })
  }

  of(source: string): Heard {
    return this.#heard.get(source) ?? { answers: 0, bytes: 0, ahead: undefined }
  }
}
