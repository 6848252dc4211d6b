/** When a task may begin that makes no answer: loads soon, since somebody may wait for one of them; what is kept, later. */
export type Urgency = 'soon' | 'later'

/**
 * Lets tasks begin that make no answer: one in each turn of the event loop, so that whatever is asked meanwhile is answered
 * first. An answer then waits for one step of one load, and not for all that are to be done.
 */
export class TaskQueue {
  readonly #waiting: Readonly<Record<Urgency | 'begun', (() => void)[]>> = { begun: [], soon: [], later: [] }

  /**
   * Resolves when it is the turn of a task. Those of one urgency begin in the order in which they came; one that has begun
   * and paused goes on before another begins, so that a load does not take longer for those behind it.
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
