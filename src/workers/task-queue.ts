/**
 * Urgency of background tasks: `first` for short ones that a request waits for, `soon` for loads that a request may be
 * waiting for, `later` for data prepared in advance.
 */
export type Urgency = 'first' | 'soon' | 'later'

/**
 * Delays background tasks: one step runs per turn of the event loop, so that requests arriving meanwhile are handled
 * first. A request then waits for one step of one load rather than for all loads.
 */
export class TaskQueue {
  readonly #waiting: Readonly<Record<Urgency | 'begun', (() => void)[]>> = { first: [], begun: [], soon: [], later: [] }

  /**
   * Resolves when a task may run its next step. Tasks of equal urgency start in order of arrival; a task that has begun
   * and paused continues before another load starts, so that a load is not slowed down by loads queued behind it.
   */
  next(urgency: Urgency | 'begun'): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isEmpty) setImmediate(() => this.#turn())
      this.#waiting[urgency].push(resolve)
    })
  }

  get #isEmpty(): boolean {
    return Object.values(this.#waiting).every(({ length }) => length === 0)
  }

  #turn(): void {
    const { first, begun, soon, later } = this.#waiting
    const goOn = first.shift() ?? begun.shift() ?? soon.shift() ?? later.shift()
    goOn?.()
    if (!this.#isEmpty) setImmediate(() => this.#turn())
  }
}
