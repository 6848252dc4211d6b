import type { MaybePromise } from '../api/maybe-promise.ts'
import type { Instant } from '../market/units.ts'

/** A value that was loaded, and for how long it is not loaded again, milliseconds; Infinity: it will not change. */
export interface Loaded<Value> {
  readonly value: Value
  readonly goodFor: number
}

export interface CellOptions<Value> {
  readonly load: () => Promise<Loaded<Value>>
  /** What is held before anything was loaded: with it a load that fails is no failure of the reader. */
  readonly initial?: { readonly value: Value }
  /** Whether a fresh value says the same as the held one, which then stays: answers made from it stay, too. */
  readonly isSame?: (held: Value, fresh: Value) => boolean
  /** How long to leave the source alone after so many failures in a row, milliseconds. */
  readonly pauseAfter?: (failures: number, error: Error) => number
  /** Wall-clock milliseconds. */
  readonly wallNow: () => Instant
}

/** How long a source that failed is left alone where nothing else is said, milliseconds. */
export const RETRY_AFTER_FAILURE = 60_000
/** How long to wait for a past day that the source does not have yet, milliseconds. */
export const RETRY_WHEN_ABSENT = 5 * 60_000

/**
 * One value that is loaded when it is first read, once however many readers wait. It is loaded anew when it is due; a
 * load that fails leaves what is held in place, and the source alone for a while.
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

  /** What is held; undefined before anything was loaded. */
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

  /** What is held, or the load that brings it where none was made or one is due; `anew`: due whatever was loaded. */
  read({ anew = false } = {}): MaybePromise<Value> {
    if (this.#loading !== undefined) return this.#loading
    if (anew || this.isDue) return this.load()
    return this.current()
  }

  /** What is held, while a load that is due goes on behind it; the load where nothing is. */
  latest(): MaybePromise<Value> {
    const found = this.read()
    if (this.#held === undefined || !(found instanceof Promise)) return found
    found.catch(() => {}) // what is held serves on
    return this.#held.value
  }

  /** What is held. Throws the failure of the last load where nothing is. */
  current(): Value {
    if (this.#held !== undefined) return this.#held.value
    throw this.#failure ?? new Error('nothing was loaded yet')
  }

  /** Loads once for all that wait. Where it fails what is held serves on; it rejects where nothing is. */
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
