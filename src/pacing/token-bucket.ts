import { LRUCache } from 'lru-cache'

/** A limit of rate and burst. */
export interface TokenRate {
  /** Tokens of a full bucket: permissions at once after a rest. */
  readonly burst: number
  /** Tokens that the bucket gains each minute. */
  readonly perMinute: number
}

const MINUTE = 60_000

/** A token bucket: each permission takes a token, and the bucket fills at a steady rate. All times are milliseconds. */
export class TokenBucket {
  readonly #rate: TokenRate
  #tokens: number
  #at: number

  constructor(rate: TokenRate, now: number) {
    this.#rate = rate
    this.#tokens = rate.burst
    this.#at = now
  }

  /** Milliseconds until a token is there; 0: now. A clock that is set back gives nothing. */
  wait(now: number): number {
    const { burst, perMinute } = this.#rate
    this.#tokens = Math.min(burst, this.#tokens + (Math.max(0, now - this.#at) * perMinute) / MINUTE)
    this.#at = now
    return this.#tokens >= 1 ? 0 : ((1 - this.#tokens) * MINUTE) / perMinute
  }

  /** Takes a token and returns 0; without one, returns the milliseconds until there is one. */
  take(now: number): number {
    const wait = this.wait(now)
    if (wait === 0) this.#tokens--
    return wait
  }
}

/**
 * A token bucket for each client. Beyond `max` clients the one that was idle longest is dropped: it would begin anew with
 * a full bucket, so memory stays bounded and nobody is harmed.
 */
export class TokenBuckets {
  readonly #buckets: LRUCache<string, TokenBucket>

  constructor(max: number) {
    this.#buckets = new LRUCache({ max })
  }

  /** Whether no client has taken anything yet. */
  get isEmpty(): boolean {
    return this.#buckets.size === 0
  }

  /** Takes a token of a client and returns 0; without one, returns the milliseconds until there is one. */
  take(client: string, rate: TokenRate, now: number): number {
    let bucket = this.#buckets.get(client)
    if (bucket === undefined) this.#buckets.set(client, (bucket = new TokenBucket(rate, now)))
    return bucket.take(now)
  }

  /** Drops the bucket of a client, which begins anew with a full one. */
  drop(client: string): void {
    this.#buckets.delete(client)
  }
}
