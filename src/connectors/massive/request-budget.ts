import { pause } from './pause.ts'

/** Lets so many requests begin in a second, evenly, whoever makes them. */
export class RequestBudget {
  readonly #between: number
  #next = 0

  constructor(perSecond: number) {
    this.#between = 1000 / perSecond
  }

  /** Resolves when a request may begin; rejects with the reason of the signal once that fires. */
  async turn(signal: AbortSignal): Promise<void> {
    const now = performance.now()
    const at = Math.max(now, this.#next)
    this.#next = at + this.#between
    if (at > now) await pause(at - now, signal)
    signal.throwIfAborted()
  }

  /** The vendor asks for a rest, milliseconds. */
  rest(milliseconds: number): void {
    this.#next = Math.max(this.#next, performance.now() + milliseconds)
  }
}
