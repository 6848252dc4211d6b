interface Waiting {
  readonly name: string
  readonly begin: () => void
}

/** Long work in turns, so many at a time: what somebody waits for goes before what was asked for earlier. */
export class Turns {
  readonly #atOnce: number
  #waiting: Waiting[] = []
  #running = 0

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** Does the work of a name when its turn has come. */
  run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        this.#running++
        work()
          .then(resolve, reject)
          .finally(() => {
            this.#running--
            this.#next()
          })
      }
      this.#waiting.push({ name, begin })
      this.#next()
    })
  }

  /** The work of a name is the next to begin. */
  hurry(name: string): void {
    const at = this.#waiting.findIndex((one) => one.name === name)
    if (at > 0) this.#waiting.unshift(...this.#waiting.splice(at, 1))
  }

  #next(): void {
    if (this.#running < this.#atOnce) this.#waiting.shift()?.begin()
  }
}
