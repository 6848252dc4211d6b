/** Runs the work of several callers one after the other, first come, first served. */
export class SerialQueue {
  #last: Promise<void> = Promise.resolve()

  /**
   * Waits until all earlier work has ended; resolves with a function that ends the caller's own work. Rejects with the
   * signal's reason.
   */
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

/**
 * Resolves when `signal` fires. When `waited` fires, the listener is removed from `signal`, which may live as long as
 * the service.
 */
function aborted(signal: AbortSignal, waited: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true, signal: waited })
  })
}
