import type { MaybePromise } from '../api/maybe-promise.ts'
import type { Instant } from '../market/units.ts'

/** A loaded value, and the milliseconds until it is due again; Infinity: it will not change. */
export interface Loaded<Value> {
  readonly value: Value
  readonly goodFor: number
}

export interface CellOptions<Value> {
  readonly load: () => Promise<Loaded<Value>>
  /** The value before the first load. With it readers get that value when a load fails, rather than the error. */
  readonly initial?: { readonly value: Value }
  /** Whether a fresh value equals the held one, which is then kept together with the answers made from it. */
  readonly isSame?: (held: Value, fresh: Value) => boolean
  /** How long to leave the source alone after so many failures in a row, milliseconds. */
  readonly pauseAfter?: (failures: number, error: Error) => number
  /** Wall-clock milliseconds. */
  readonly wallNow: () => Instant
}

/** Default pause after a failure of the source, milliseconds. */
export const RETRY_AFTER_FAILURE = 60_000
/** How long to wait for a past day that the source does not have yet, milliseconds. */
export const RETRY_WHEN_ABSENT = 5 * 60_000

/**
 * A value that is loaded when it is first read, once however many readers wait, and again when it is due. A failed load
 * keeps the held value and leaves the source alone for a while.
 */
export class Cell<Value> {
  readonly #options: CellOptions<Value>
  #held: { readonly value: Value } | undefined
  #loading: Promise<Value> | undefined
  #failure: Error | undefined
  #failures = 0
  #retryAt: Instant = Number.NEGATIVE_INFINITY

  constructor(options: CellOptions<Value>) {
    this.#options = options
    this.#held = options.initial
  }

  /** The held value; undefined before the first load. */
  get value(): Value | undefined {
    return this.#held?.value
  }

  /** Failures in a row. */
  get failures(): number {
    return this.#failures
  }

  get isLoading(): boolean {
    return this.#loading !== undefined
  }

  /** Whether the pause after the last load is over. */
  get isDue(): boolean {
    return this.#options.wallNow() >= this.#retryAt
  }

  /** The held value, or a load if there is none or one is due. `anew`: load in any case. */
  read({ anew = false } = {}): MaybePromise<Value> {
    if (this.#loading !== undefined) return this.#loading
    if (anew || this.isDue) return this.load()
    return this.current()
  }

  /** The held value, while a due load runs in the background; without one, the load. */
  latest(): MaybePromise<Value> {
    const found = this.read()
    if (this.#held === undefined || !(found instanceof Promise)) return found
    found.catch(() => {}) // the held value stays in use
    return this.#held.value
  }

  /** The held value. Throws the error of the last load if there is none. */
  current(): Value {
    if (this.#held !== undefined) return this.#held.value
    throw this.#failure ?? new Error('nothing was loaded yet')
  }

  /** Loads once for all readers. If it fails, resolves with the held value, or rejects if there is none. */
  load(): Promise<Value> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  async #load(): Promise<Value> {
    const { load, isSame, pauseAfter, wallNow } = this.#options
    try {
      const { value, goodFor } = await load()
      if (this.#held === undefined || !isSame?.(this.#held.value, value)) this.#held = { value }
      this.#failure = undefined
      this.#failures = 0
      this.#retryAt = wallNow() + goodFor
    } catch (error) {
      this.#failure = error as Error
      this.#failures++
      this.#retryAt = wallNow() + (pauseAfter?.(this.#failures, this.#failure) ?? RETRY_AFTER_FAILURE)
    }
    return this.current()
  }
}
