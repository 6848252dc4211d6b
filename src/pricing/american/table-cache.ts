import { LRUCache } from 'lru-cache'

/** Milliseconds. A step of time lasts some fifteen minutes of a session: what was not used for so long is of the past. */
const MAX_IDLE = 30 * 60_000
/** After so many values made, those that are too long idle are dropped. */
const MADE_BETWEEN_PURGES = 1024

/** What a thread has made and keeps by its name, up to so many bytes: the longest idle goes first. */
export class TableCache<Value extends object> {
  readonly #held: LRUCache<string, Value>
  #madeSincePurge = 0

  constructor(maxBytes: number, bytesOf: (value: Value) => number, clock: { now(): number } = performance) {
    this.#held = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: bytesOf,
      ttl: MAX_IDLE,
      ttlResolution: 0, // one look at the clock for each reading costs less than a timer for each millisecond
      updateAgeOnGet: true,
      perf: clock
    })
  }

  /** The value of that name, made or at hand. */
  get(name: string, make: () => Value): Value {
    const held = this.#held.get(name)
    if (held !== undefined) return held
    const value = make()
    this.#held.set(name, value)
    if (++this.#madeSincePurge === MADE_BETWEEN_PURGES) {
      this.#held.purgeStale()
      this.#madeSincePurge = 0
    }
    return value
  }
}
