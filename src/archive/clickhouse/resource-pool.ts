/** Shares resources that do one job at a time; callers wait in order. */
export class ResourcePool<Resource> {
  readonly #free: Resource[]
  readonly #count: number
  readonly #waiting: ((resource: Resource) => void)[] = []
  #closed = false

  constructor(pool: readonly Resource[]) {
    this.#free = [...pool]
    this.#count = pool.length
  }

  /** Runs a job on the next free resource. */
  async take<Result>(job: (resource: Resource) => Promise<Result>): Promise<Result> {
    if (this.#closed) throw new Error('the history is closed')
    const resource = await this.#next()
    try {
      return await job(resource)
    } finally {
      const waiting = this.#waiting.shift()
      if (waiting === undefined) this.#free.push(resource)
      else waiting(resource)
    }
  }

  /** Refuses further jobs, and resolves when the present ones are done. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await Promise.all(Array.from({ length: this.#count }, () => this.#next()))
  }

  #next(): Resource | Promise<Resource> {
    return this.#free.pop() ?? new Promise((resolve) => this.#waiting.push(resolve))
  }
}
