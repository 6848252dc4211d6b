/** Hands out things that do one job at a time, first come first served. */
export class Lanes<Lane> {
  readonly #free: Lane[]
  readonly #count: number
  readonly #waiting: ((lane: Lane) => void)[] = []
  #closed = false

  constructor(lanes: readonly Lane[]) {
    this.#free = [...lanes]
    this.#count = lanes.length
  }

  /** Does a job on the next free lane. */
  async take<Result>(job: (lane: Lane) => Promise<Result>): Promise<Result> {
    if (this.#closed) throw new Error('the history is closed')
    const lane = await this.#next()
    try {
      return await job(lane)
    } finally {
      const waiting = this.#waiting.shift()
      if (waiting === undefined) this.#free.push(lane)
      else waiting(lane)
    }
  }

  /** Resolves once every job taken so far is done; there will be no others. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await Promise.all(Array.from({ length: this.#count }, () => this.#next()))
  }

  #next(): Lane | Promise<Lane> {
    return this.#free.pop() ?? new Promise((resolve) => this.#waiting.push(resolve))
  }
}
