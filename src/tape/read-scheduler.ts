interface SteppedRead {
  /** Whether a caller waits for the read to finish. May change while the read is queued. */
  readonly isWaitedFor: boolean
}

/**
 * Runs one step of one read per turn of the event loop, so that other work is done in between. Reads that callers wait
 * for go first; otherwise reads alternate.
 */
export class ReadScheduler {
  readonly #queue: { readonly read: SteppedRead; readonly run: () => void }[] = []
  #isScheduled = false

  next(read: SteppedRead): Promise<void> {
    return new Promise((run) => {
      this.#queue.push({ read, run })
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#isScheduled || this.#queue.length === 0) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      const first = this.#queue.findIndex(({ read }) => read.isWaitedFor)
      const [next] = this.#queue.splice(Math.max(0, first), 1)
      next.run()
      this.#schedule()
    })
  }
}
