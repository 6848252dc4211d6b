import { LRUCache } from 'lru-cache'
import { entriesUpTo } from '../memory/entries-up-to.ts'

export interface TokenRate {
  /** Capacity of the bucket in tokens: the largest burst after a pause. */
  readonly burst: number
  /** Tokens added per minute. */
  readonly perMinute: number
}

const MINUTE = 60_000

/**
 * A token bucket for rate limits: each permission takes one token, and tokens are added at a steady rate. All times are
 * milliseconds.
 */
export class TokenBucket {
  readonly #rate: TokenRate
  #tokens: number
  #at: number

  constructor(rate: TokenRate, now: number) {
    this.#rate = rate
    this.#tokens = rate.burst
    this.#at = now
  }

  /** Milliseconds until a token is available; 0 if one is now. A clock that is set back adds no tokens. */
  wait(now: number): number {
    const { burst, perMinute } = this.#rate
    this.#tokens = Math.min(burst, this.#tokens + (Math.max(0, now - this.#at) * perMinute) / MINUTE)
    this.#at = now
    return this.#tokens >= 1 ? 0 : ((1 - this.#tokens) * MINUTE) / perMinute
  }

  /** Takes a token and returns 0; if none is available, returns the milliseconds until one is. */
  take(now: number): number {
    const wait = this.wait(now)
    if (wait === 0) this.#tokens--
    return wait
  }
}

/**
 * One token bucket per client. With more than `max` clients, the client idle longest is dropped. The client loses
 * nothing, because its bucket would be full again anyway.
 */
export class TokenBuckets {
  readonly #buckets: LRUCache<string, TokenBucket>

  constructor(max: number) {
    this.#buckets = new LRUCache(entriesUpTo(max))
  }

  get isEmpty(): boolean {
    return this.#buckets.size === 0
  }

  /**
   * Takes a token from a client's bucket and returns 0; if it is empty, returns the milliseconds until a token is
   * available.
   */
  take(client: string, rate: TokenRate, now: number): number {
    let bucket = this.#buckets.get(client)
    if (bucket === undefined) this.#buckets.set(client, (bucket = new TokenBucket(rate, now)))
    return bucket.take(now)
  }

  drop(client: string): void {
    this.#buckets.delete(client)
  }
}
