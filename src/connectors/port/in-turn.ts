/** Work of several callers that goes one after the other, in the order in which they came. */
export class InTurn {
  #last: Promise<void> = Promise.resolve()

  /** Resolves with what ends the turn, once every earlier one has ended. Rejects with the reason of the signal. */
  async next(signal: AbortSignal): Promise<() => void> {
    const before = this.#last
    let end = () => {}
    const own = new Promise<void>((resolve) => {
      end = resolve
    })
    this.#last = before.then(() => own)
    await Promise.race([before, aborted(signal)])
    if (!signal.aborted) return end
    end()
    throw signal.reason
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
