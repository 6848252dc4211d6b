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
    let stop = () => {}
    const stopped = new Promise<void>((resolve) => {
      stop = resolve
    })
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    await Promise.race([before, stopped])
    signal.removeEventListener('abort', stop) // it may outlive many turns
    if (!signal.aborted) return end
    end()
    throw signal.reason
  }
}
