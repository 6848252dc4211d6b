/** Commands at once, and milliseconds from one to the next after them: a little less than the server takes. */
const BURST = 150
const GAP = 25

/**
 * Sends commands in their order, no faster than the server takes them. It refuses what is beyond 200 at once and 50 a
 * second, and ends a connection that goes on, so that whoever leaves a page full of subscriptions must not hurry.
 */
export class Paced {
  readonly #send: (text: string) => void
  #waiting: string[] = []
  #room = BURST
  #countedAt = performance.now()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(send: (text: string) => void) {
    this.#send = send
  }

  put(text: string): void {
    this.#waiting.push(text)
    if (this.#timer === undefined) this.#go()
  }

  /** Forgets what was not sent. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#waiting = []
  }

  #go(): void {
    const now = performance.now()
    this.#room = Math.min(BURST, this.#room + (now - this.#countedAt) / GAP)
    this.#countedAt = now
    const ready = this.#waiting.splice(0, Math.floor(this.#room))
    this.#room -= ready.length
    for (const text of ready) this.#send(text)
    if (this.#waiting.length === 0) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#go()
    }, GAP)
  }
}
