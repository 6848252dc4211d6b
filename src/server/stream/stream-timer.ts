import type { Instant } from '../../market/units.ts'

/** The only timer of the stream. It can be set to an earlier moment at any time. */
export class StreamTimer {
  readonly #run: (now: Instant) => void
  #timer: NodeJS.Timeout | undefined
  #at = Number.POSITIVE_INFINITY
  #stopped = false

  constructor(run: (now: Instant) => void) {
    this.#run = run
  }

  /** Runs at a moment, unless it is set to an earlier one. */
  arm(at: Instant): void {
    if (at >= this.#at || this.#stopped) return
    clearTimeout(this.#timer)
    this.#at = at
    this.#timer = setTimeout(() => {
      this.#at = Number.POSITIVE_INFINITY
      this.#run(Date.now())
    }, at - Date.now())
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }
}
