interface SteppedRead {
  /** Whether a caller waits for the read to finish. May change while the read is queued. */
  readonly isWaitedFor: boolean
  /** Whether the read is so short that it goes before all others. */
  readonly isShort?: boolean
}

/**
 * Runs one step of one read per turn of the event loop, so that other work is done in between. Short reads go
 * first, then those that callers wait for; otherwise reads alternate.
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
      const short = this.#queue.findIndex(({ read }) => read.isShort)
      const first = short < 0 ? this.#queue.findIndex(({ read }) => read.isWaitedFor) : short
      const [next] = this.#queue.splice(Math.max(0, first), 1)
      next.run()
      this.#schedule()
    })
  }
}
