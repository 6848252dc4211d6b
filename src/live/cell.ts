import type { MaybePromise } from '../api/maybe-promise.ts'
import { RETRY_AFTER_FAILURE } from '../facts/freshness.ts'
import type { Instant } from '../market/units.ts'

/** A loaded value, and the milliseconds until it is to be loaded again; Infinity if it never changes. */
export interface Loaded<Value> {
  readonly value: Value
  readonly goodFor: number
}

export interface CellOptions<Value> {
  readonly load: () => Promise<Loaded<Value>>
  /** Value before the first load. If it is set, readers get it when the first load fails, rather than the error. */
  readonly initial?: { readonly value: Value }
  /** Whether a newly loaded value equals the current one, which then stays, with all responses computed from it. */
  readonly isSame?: (held: Value, fresh: Value) => boolean
  /** Milliseconds to leave the source alone after a number of consecutive failures. */
  readonly pauseAfter?: (failures: number, error: Error) => number
  readonly wallNow: () => Instant
}

/**
 * A cached value that is loaded when it is first read, once for all readers, and again when it is due. A failed load
 * keeps the old value and leaves the source alone for a while.
 */
export class Cell<Value> {
  readonly #options: CellOptions<Value>
  #held: { readonly value: Value } | undefined
  #loading: Promise<Value> | undefined
  #failure: Error | undefined
  #failures = 0
  #endedAt: Instant = Number.NEGATIVE_INFINITY
  #retryAt: Instant = Number.NEGATIVE_INFINITY

  constructor(options: CellOptions<Value>) {
    this.#options = options
    this.#held = options.initial
  }

  /** The cached value; undefined before the first load. */
  get value(): Value | undefined {
    return this.#held?.value
  }

  get failures(): number {
    return this.#failures
  }

  get isLoading(): boolean {
    return this.#loading !== undefined
  }

  /** Whether the pause after the last load is over, or the clock was set back since. */
  get isDue(): boolean {
    const now = this.#options.wallNow()
    return now >= this.#retryAt || now < this.#endedAt
  }

  /** The cached value, or a load if there is none or one is due. `anew`: load in any case. */
  read({ anew = false } = {}): MaybePromise<Value> {
    if (this.#loading !== undefined) return this.#loading
    if (anew || this.isDue) return this.load()
    return this.current()
  }

  /** The cached value, while a due load runs in the background; if there is no value, waits for the load. */
  latest(): MaybePromise<Value> {
    const found = this.read()
    if (this.#held === undefined || !(found instanceof Promise)) return found
    found.catch(() => {})
    return this.#held.value
  }

  /** The cached value. Throws the error of the last load if there is none. */
  current(): Value {
    if (this.#held !== undefined) return this.#held.value
    throw this.#failure ?? new Error('nothing was loaded yet')
  }

  /** Loads once for all readers. If loading fails, resolves with the cached value, or rejects if there is none. */
  load(): Promise<Value> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  async #load(): Promise<Value> {
    const { load, isSame, pauseAfter } = this.#options
    try {
      const { value, goodFor } = await load()
      if (this.#held === undefined || !isSame?.(this.#held.value, value)) this.#held = { value }
      this.#failure = undefined
      this.#failures = 0
      this.#pause(goodFor)
    } catch (error) {
      this.#failure = error as Error
      this.#failures++
      this.#pause(pauseAfter?.(this.#failures, this.#failure) ?? RETRY_AFTER_FAILURE)
    }
    return this.current()
  }

  #pause(milliseconds: number): void {
    this.#endedAt = this.#options.wallNow()
    this.#retryAt = this.#endedAt + milliseconds
  }
}
