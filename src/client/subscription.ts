import { deliver } from './deliver.ts'
import type { Acknowledged, SubscribeItem, Update } from './frames.ts'

/**
 * One metric that is listened to. It outlives lost connections. `for await` gives its updates, the newest one whenever
 * the loop comes back: who is slow gets fewer and newer values. Leaving the loop ends the subscription.
 */
export interface Subscription extends AsyncIterable<Update> {
  /** What was asked for. */
  readonly item: SubscribeItem
  /** The newest update so far. */
  readonly latest: Update | undefined
  /** Settles once the server knows the subscription; rejects with its refusal. */
  readonly ready: Promise<Acknowledged>
  /** Ends it. Loops over it end, and no update is delivered any more. */
  unsubscribe(): void
}

export type Listener = (update: Update) => void

/** A subscription as the stream holds it. */
export class HeldSubscription implements Subscription {
  item: SubscribeItem
  latest: Update | undefined
  readonly ready: Promise<Acknowledged>
  readonly #listener: Listener | undefined
  readonly #leave: (held: HeldSubscription) => void
  #resolve: (acknowledged: Acknowledged) => void = () => {}
  #reject: (error: Error) => void = () => {}
  /** Of the newest update in this epoch. */
  #seq = -1
  #over = false
  #fault: Error | undefined
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
    this.ready.catch(() => {}) // told through the loop and as an event too
    this.#turn = this.#nextTurn()
  }

  get isOver(): boolean {
    return this.#over
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Update, void> {
    let given: Update | undefined
    try {
      while (true) {
        if (this.latest !== undefined && this.latest !== given) {
          given = this.latest
          yield given
        } else if (this.#over) {
          if (this.#fault !== undefined) throw this.#fault
          return
        } else await this.#turn
      }
    } finally {
      this.unsubscribe()
    }
  }

  unsubscribe(): void {
    if (this.#over) return
    this.end()
    this.#leave(this)
  }

  acknowledge(acknowledged: Acknowledged): void {
    this.#resolve(acknowledged)
  }

  /** The value of a new engine: whatever it counts is news. */
  forgetSequence(): void {
    this.#seq = -1
  }

  /** Takes an update, unless it is a snapshot of what was delivered before the connection was lost. */
  take(update: Update): void {
    if (this.#over || (update.snapshot === true && update.seq <= this.#seq)) return
    this.#seq = update.seq
    this.latest = update
    this.#notify()
    if (this.#listener !== undefined) deliver(this.#listener, update)
  }

  /** Ends it, with an error where it is not by wish. */
  end(fault?: Error): void {
    if (this.#over) return
    this.#over = true
    this.#fault = fault
    this.#reject(fault ?? new Error('the subscription was ended before it was acknowledged'))
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
