/**
 * Urgency of a task that makes no answer: `soon` for loads, since somebody may wait for one; `later` for what is made
 * ahead.
 */
export type Urgency = 'soon' | 'later'

/**
 * Delays tasks that make no answer: one step runs in each turn of the event loop, so that requests that come meanwhile
 * are answered first. An answer then waits for one step of one load rather than for all loads.
 */
export class TaskQueue {
  readonly #waiting: Readonly<Record<Urgency | 'begun', (() => void)[]>> = { begun: [], soon: [], later: [] }

  /**
   * Resolves when a task may go on. Tasks of one urgency start in their order; one that has begun and paused goes on
   * before another starts, so that a load does not take longer because of those behind it.
   */
  next(urgency: Urgency | 'begun'): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isEmpty) setImmediate(() => this.#turn())
      this.#waiting[urgency].push(resolve)
    })
  }

  get #isEmpty(): boolean {
    const { begun, soon, later } = this.#waiting
    return begun.length + soon.length + later.length === 0
  }

  #turn(): void {
    const { begun, soon, later } = this.#waiting
    const goOn = begun.shift() ?? soon.shift() ?? later.shift()
    goOn?.()
    if (!this.#isEmpty) setImmediate(() => this.#turn())
  }
}
