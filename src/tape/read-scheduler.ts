interface SteppedRead {
  /** Whether a caller waits for the read to finish. May change while the read is queued. */
  readonly isWaitedFor: boolean
  /** Whether the read is so short that it goes before all others. */
  readonly isShort?: boolean
  /** Whether the symbol is one of many: its read begins only when there is memory for it, unless a caller waits. */
  readonly isScanned?: boolean
}

interface QueuedRead {
  readonly read: SteppedRead
  readonly run: () => void
}

/**
 * Reads of whole sessions that run at once, and those that may run at once if callers wait for them. Each keeps what it
 * reads with, and the live messages of its symbol until it ends; its tapes cannot be dropped meanwhile.
 */
const READS_AT_ONCE = 2
const WAITED_READS_AT_ONCE = 8

/**
 * Says when reads begin and when each goes on. One step of one read runs per turn of the event loop, so that other work is
 * done in between. Short reads go first, then those that callers wait for; otherwise reads that have begun alternate.
 */
export class ReadScheduler {
  readonly #hasRoom: () => boolean
  readonly #queue: QueuedRead[] = []
  /** Reads of whole sessions that have not begun, in the order in which they came. */
  readonly #unbegun = new Map<SteppedRead, () => void>()
  readonly #begun = new Set<SteppedRead>()
  #isScheduled = false

  /** Reads of scanned symbols begin only while `hasRoom` returns true. */
  constructor(hasRoom: () => boolean = () => true) {
    this.#hasRoom = hasRoom
  }

  /** Resolves when the read of a whole session may begin, or once it has ended. */
  begin(read: SteppedRead): Promise<void> {
    return new Promise((run) => {
      this.#unbegun.set(read, run)
      this.beginReads()
    })
  }

  /** Makes room for the next read. A read that has not begun is given up. */
  end(read: SteppedRead): void {
    this.#unbegun.get(read)?.()
    this.#unbegun.delete(read)
    this.#begun.delete(read)
    this.beginReads()
  }

  /** Begins the reads that callers wait for and, as far as they may, others. */
  beginReads(): void {
    for (const read of this.#unbegun.keys()) {
      if (this.#begun.size >= WAITED_READS_AT_ONCE) return
      if (read.isWaitedFor) this.#begin(read)
    }
    if (this.#unbegun.size === 0 || this.#begun.size >= READS_AT_ONCE) return
    const hasRoom = this.#hasRoom()
    for (const read of this.#unbegun.keys()) {
      if (this.#begun.size >= READS_AT_ONCE) return
      if (!read.isScanned || hasRoom) this.#begin(read)
    }
  }

  next(read: SteppedRead): Promise<void> {
    return new Promise((run) => {
      this.#queue.push({ read, run })
      this.#schedule()
    })
  }

  #begin(read: SteppedRead): void {
    const run = this.#unbegun.get(read)!
    this.#unbegun.delete(read)
    this.#begun.add(read)
    run()
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
