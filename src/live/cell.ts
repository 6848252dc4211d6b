import { RETRY_AFTER_FAILURE } from '../facts/freshness.ts'

/** A loaded value, and the number of milliseconds until it must be loaded again. Infinity if it never changes. */
export interface Loaded<Value> {
  readonly value: Value
  readonly goodFor: number
}

export interface CellOptions<Value> {
  readonly load: () => Promise<Loaded<Value>>
  /** Value that readers get before the first load. If the first load fails, they get this value instead of an error. */
  readonly initial?: { readonly value: Value }
  /**
   * Whether a newly loaded value equals the cached one. If so, the cached object stays, and with it the responses that
   * were computed from it.
   */
  readonly isSame?: (held: Value, fresh: Value) => boolean
  /** Milliseconds to wait before the next load, after a number of failures in a row. */
  readonly pauseAfter?: (failures: number, error: Error) => number
  /** Clock of periods, milliseconds. */
  readonly steadyNow: () => number
}

/**
 * A cached value: `load` loads it, once for all who wait, and `read` returns what was loaded. If a load fails, the old
 * value stays, and `isDue` is false for a while.
 */
export class Cell<Value> {
  readonly #options: CellOptions<Value>
  #held: { readonly value: Value } | undefined
  #loading: Promise<Value> | undefined
  #failure: Error | undefined
  #failures = 0
  /** Whether the value expired since its last load began. */
  #isOutdated = false
  /** When the value may be loaded again, milliseconds of the steady clock. */
  #retryAt = Number.NEGATIVE_INFINITY

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

  /** Whether the value may be loaded again because it has expired. */
  get isDue(): boolean {
    return this.#options.steadyNow() >= this.#retryAt
  }

  /** Whether the value is neither expired nor being loaded, so that readers need not wait for a load. */
  get isGood(): boolean {
    return this.#loading === undefined && !this.isDue
  }

  /** Whether readers who accept an expired value need not wait: there is one, or a load has just failed. */
  get isServable(): boolean {
    return this.#held !== undefined || this.isGood
  }

  /** Returns the cached value, even if it has expired. If there is none, throws the error of the last load. */
  read(): Value {
    if (this.#held !== undefined) return this.#held.value
    throw this.#failure ?? new Error('nothing was loaded yet')
  }

  /**
   * Loads the value, once for all readers. If loading fails, resolves with the cached value, or rejects if there is
   * none.
   */
  load(): Promise<Value> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  /** Begins to load the value in the background if it has expired. */
  renew(): void {
    if (this.isDue) this.load().catch(() => {})
  }

  /** Makes the value expire, also if it is just being loaded: what it is read from has changed. */
  expire(): void {
    this.#isOutdated = true
    this.#retryAt = Number.NEGATIVE_INFINITY
  }

  async #load(): Promise<Value> {
    const { load, isSame, pauseAfter } = this.#options
    this.#isOutdated = false
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
    return this.read()
  }

  #pause(milliseconds: number): void {
    if (this.#isOutdated) return
    this.#retryAt = this.#options.steadyNow() + milliseconds
  }
}
