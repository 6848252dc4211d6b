/** Number of commands sent at once, and milliseconds between later commands; slightly below the server's limits. */
const BURST = 150
const GAP = 25

/**
 * Sends commands in order, within the server's limits: 200 at once, then 50 a second. Beyond these limits the server
 * refuses commands, and closes the connection if the client goes on. A page with many subscriptions would exceed them
 * when it ends all its subscriptions.
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
