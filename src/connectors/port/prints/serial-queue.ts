/** Work of several callers that goes one after the other, in the order in which they came. */
export class SerialQueue {
  #last: Promise<void> = Promise.resolve()

  /** Resolves with what ends the turn, once every earlier one has ended. Rejects with the reason of the signal. */
  async next(signal: AbortSignal): Promise<() => void> {
    const before = this.#last
    let end = () => {}
    const own = new Promise<void>((resolve) => {
      end = resolve
    })
    this.#last = before.then(() => own)
    const waited = new AbortController()
    await Promise.race([before, aborted(signal, waited.signal)])
    waited.abort()
    if (!signal.aborted) return end
    end()
    throw signal.reason
  }
}

/** Resolves when the signal fires, unless nobody waits for it any more: a signal may live as long as the service. */
function aborted(signal: AbortSignal, waited: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true, signal: waited })
  })
}
