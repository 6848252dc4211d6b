interface Entry {
  readonly at: number
  readonly order: number
  readonly task: () => void
}

/**
 * Tasks ordered by due time: a binary heap with one timer for the earliest. Tasks due at the same time run in the order
 * in which they were scheduled. All times are milliseconds of the steady clock, so a wall clock that is set delays
 * nothing.
 */
export class TimerQueue {
  readonly #entries: Entry[] = []
  /** The steady clock. */
  readonly now: () => number
  readonly #arm: (at: number) => void
  #order = 0

  /** `arm` is called whenever the earliest due time becomes earlier, and after each `run`. */
  constructor(now: () => number, arm: (at: number) => void) {
    this.now = now
    this.#arm = arm
  }

  get next(): number | undefined {
    return this.#entries[0]?.at
  }

  get size(): number {
    return this.#entries.length
  }

  /** Runs a task after a number of milliseconds. */
  after(milliseconds: number, task: () => void): void {
    this.schedule(this.now() + milliseconds, task)
  }

  schedule(at: number, task: () => void): void {
    const entries = this.#entries
    const entry = { at, order: this.#order++, task }
    let k = entries.push(entry) - 1
    while (k > 0) {
      const parent = (k - 1) >> 1
      if (!isBefore(entry, entries[parent])) break
      entries[k] = entries[parent]
      k = parent
    }
    entries[k] = entry
    if (k === 0) this.#arm(at)
  }

  /** Runs all tasks that are due by now, including those scheduled during the run. */
  run(): void {
    const now = this.now()
    for (let first = this.#entries[0]; first !== undefined && first.at <= now; first = this.#entries[0]) {
      this.#removeFirst()
      first.task()
    }
    const { next } = this
    if (next !== undefined) this.#arm(next)
  }

  #removeFirst(): void {
    const entries = this.#entries
    const last = entries.pop()!
    const size = entries.length
    if (size === 0) return
    let k = 0
    for (;;) {
      let child = 2 * k + 1
      if (child >= size) break
      if (child + 1 < size && isBefore(entries[child + 1], entries[child])) child++
      if (!isBefore(entries[child], last)) break
      entries[k] = entries[child]
      k = child
    }
    entries[k] = last
  }
}

const isBefore = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.order < b.order)
