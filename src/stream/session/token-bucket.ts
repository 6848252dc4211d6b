import type { Instant } from '../../market/units.ts'

/** A limit of rate and burst: each permission takes a token from a bucket that fills at a steady rate. */
export class TokenBucket {
  readonly #perSecond: number
  readonly #burst: number
  #level: number
  #at: Instant

  constructor(perSecond: number, burst: number, now: Instant) {
    this.#perSecond = perSecond
    this.#burst = burst
    this.#level = burst
    this.#at = now
  }

  /** Takes one token and returns undefined; where there is none, returns the milliseconds until there is one. */
  take(now: Instant): number | undefined {
    this.#level = Math.min(this.#burst, this.#level + (Math.max(0, now - this.#at) / 1000) * this.#perSecond)
    this.#at = now
    if (this.#level < 1) return Math.ceil(((1 - this.#level) / this.#perSecond) * 1000)
    this.#level--
    return undefined
  }
}
