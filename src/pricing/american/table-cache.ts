import { LRUCache } from 'lru-cache'
import { lazily } from '../../market/memoize.ts'
import { keptShare } from '../../memory/kept-memory.ts'

/**
 * Milliseconds after which an unused table is dropped. Tables are computed for times rounded to about fifteen minutes
 * of a trading session, so an older table is not needed again.
 */
const MAX_IDLE = 30 * 60_000
const MADE_BETWEEN_PURGES = 1024

/**
 * A thread's cache of tables, limited by the bytes they take. When it is full, the table that has been unused for the
 * longest time is dropped first.
 */
export class TableCache<Value extends object> {
  /** Made by the first use, because a thread states its share of kept memory after it has loaded its program. */
  readonly #held: () => LRUCache<string, Value>
  #madeSincePurge = 0

  constructor(maxBytes: number, bytesOf: (value: Value) => number, clock: { now(): number } = performance) {
    this.#held = lazily(
      () =>
        new LRUCache({
          maxSize: keptShare() * maxBytes,
          sizeCalculation: bytesOf,
          ttl: MAX_IDLE,
          ttlResolution: 0, // reading the clock each time costs less than a timer each millisecond
          updateAgeOnGet: true,
          perf: clock
        })
    )
  }

  get(name: string, make: () => Value): Value {
    const cache = this.#held()
    const held = cache.get(name)
    if (held !== undefined) return held
    const value = make()
    cache.set(name, value)
    if (++this.#madeSincePurge === MADE_BETWEEN_PURGES) {
      cache.purgeStale()
      this.#madeSincePurge = 0
    }
    return value
  }
}
