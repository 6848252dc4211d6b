/** Work in many pieces; `isWaitedFor`: callers wait for its end. */
interface Reader {
  readonly isWaitedFor: boolean
}

/**
 * Lets long readings of one thread go on a piece at a time, and the thread do everything else in between: those that
 * callers wait for come before the others, by turns.
 */
export class Turns {
  readonly #waiting: { readonly reader: Reader; readonly goOn: () => void }[] = []
  #isScheduled = false

  /** Resolves when it is the reader's turn. */
  next(reader: Reader): Promise<void> {
    return new Promise((goOn) => {
      this.#waiting.push({ reader, goOn })
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      const first = this.#waiting.findIndex(({ reader }) => reader.isWaitedFor)
      const [next] = this.#waiting.splice(Math.max(0, first), 1)
      next.goOn()
      this.#schedule()
    })
  }
}
