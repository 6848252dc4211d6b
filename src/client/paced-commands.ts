/** Commands sent at once, and milliseconds between those after them: a little less than the server takes. */
const BURST = 150
const GAP = 25

/**
 * Sends commands in their order, no faster than the server takes them. The server refuses commands beyond 200 at once
 * and 50 a second, and closes a connection that goes on; a page full of subscriptions sends that many when it is left.
 */
export class PacedCommands {
  readonly #send: (text: string) => void
  #waiting: string[] = []
  #room = BURST
  #filledAt = performance.now()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(send: (text: string) => void) {
    this.#send = send
  }

  put(text: string): void {
    this.#waiting.push(text)
    if (this.#timer === undefined) this.#sendReady()
  }

  /** Drops the commands that were not sent. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#waiting = []
  }

  #sendReady(): void {
    const now = performance.now()
    this.#room = Math.min(BURST, this.#room + (now - this.#filledAt) / GAP)
    this.#filledAt = now
    const ready = this.#waiting.splice(0, Math.floor(this.#room))
    this.#room -= ready.length
    for (const text of ready) this.#send(text)
    if (this.#waiting.length === 0) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#sendReady()
    }, GAP)
  }
}
