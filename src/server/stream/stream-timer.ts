import { steadyNow } from '../../facts/steady-clock.ts'

/** The only timer behind a `TimerQueue`, on the steady clock. It can be moved to an earlier time whenever needed. */
export class StreamTimer {
  readonly #run: () => void
  #timer: NodeJS.Timeout | undefined
  #at = Number.POSITIVE_INFINITY
  #stopped = false

  constructor(run: () => void) {
    this.#run = run
  }

  /** Sets the timer to a time of the steady clock, unless it is set to an earlier one already. */
  arm(at: number): void {
    if (at >= this.#at || this.#stopped) return
    clearTimeout(this.#timer)
    this.#at = at
    this.#timer = setTimeout(() => {
      this.#at = Number.POSITIVE_INFINITY
      this.#run()
    }, at - steadyNow())
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }
}
