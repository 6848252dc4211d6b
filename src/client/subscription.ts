import type { Acknowledged, SubscribeItem, Update } from '../api/stream-frames.ts'

/**
 * A subscription to one metric, kept across reconnects. `for await` yields the newest update each time, so a slow loop
 * skips values. Leaving the loop ends the subscription.
 */
export interface MetricSubscription extends AsyncIterable<Update> {
  /** The subscribed item, with its current update interval. */
  readonly item: SubscribeItem
  /** Newest update so far. */
  readonly latest: Update | undefined
  /** Resolves once the server has acknowledged the subscription; rejects with the server's error. */
  readonly ready: Promise<Acknowledged>
  /** Ends the subscription and all loops over it. */
  unsubscribe(): void
}

export type Listener = (update: Update) => void

/** A subscription with the methods that its stream calls. */
export class HeldSubscription implements MetricSubscription {
  item: SubscribeItem
  latest: Update | undefined
  readonly ready: Promise<Acknowledged>
  readonly #listener: Listener | undefined
  readonly #leave: (held: HeldSubscription) => void
  #resolve: (acknowledged: Acknowledged) => void = () => {}
  #reject: (error: Error) => void = () => {}
  /** Sequence number of the newest update in this epoch. */
  #seq = -1
  #isOver = false
  #error: Error | undefined
  #turn: Promise<void>
  #wake = () => {}

  constructor(item: SubscribeItem, listener: Listener | undefined, leave: (held: HeldSubscription) => void) {
    this.item = item
    this.#listener = listener
    this.#leave = leave
    this.ready = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.ready.catch(() => {}) // avoids an unhandled rejection: loops and an event also report the error
    this.#turn = this.#nextTurn()
  }

  get isOver(): boolean {
    return this.#isOver
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Update, void> {
    let given: Update | undefined
    try {
      while (true) {
        if (this.latest !== undefined && this.latest !== given) {
          given = this.latest
          yield given
        } else if (this.#isOver) {
          if (this.#error !== undefined) throw this.#error
          return
        } else await this.#turn
      }
    } finally {
      this.unsubscribe()
    }
  }

  unsubscribe(): void {
    if (this.#isOver) return
    this.end()
    this.#leave(this)
  }

  acknowledge(acknowledged: Acknowledged): void {
    this.#resolve(acknowledged)
  }

  resetSequence(): void {
    this.#seq = -1
  }

  /** Delivers an update, unless a resumed connection repeats an update that was already delivered. */
  take(update: Update): void {
    if (this.#isOver || (update.snapshot === true && update.seq <= this.#seq)) return
    this.#seq = update.seq
    this.latest = update
    this.#notify()
    if (this.#listener !== undefined) deliver(this.#listener, update)
  }

  /** Ends the subscription, with an error unless the client ended it. */
  end(error?: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#error = error
    this.#reject(error ?? new Error('the subscription was ended before it was acknowledged'))
    this.#notify()
  }

  #notify(): void {
    const wake = this.#wake
    this.#turn = this.#nextTurn()
    wake()
  }

  #nextTurn(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}

/** Calls a listener. If the listener throws, the error is reported as uncaught and other listeners still run. */
export function deliver<Event>(listener: (event: Event) => void, event: Event): void {
  try {
    listener(event)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
