import type { Instant } from '../../market/units.ts'

/** The stream's only timer. It can be moved to an earlier time whenever needed. */
export class StreamTimer {
  readonly #run: (now: Instant) => void
  #timer: NodeJS.Timeout | undefined
  #at = Number.POSITIVE_INFINITY
  #stopped = false

  constructor(run: (now: Instant) => void) {
    this.#run = run
  }

  /** Sets the timer to a time, unless it is set to an earlier one already. */
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
