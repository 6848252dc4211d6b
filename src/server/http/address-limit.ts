import { type ApiError, apiError } from '../../api/error.ts'
import { TokenBuckets, type TokenRate } from '../../pacing/token-bucket.ts'
import { clientAddress, type Sender } from './client-address.ts'

export interface AddressLimitOptions extends TokenRate {
  readonly now: () => number
}

/** Rate limit of a client without a key: a page of charts at once, then one request a second. */
export const keylessRate = { burst: 60, perMinute: 60 } as const

const MAX_ADDRESSES = 10_000

/**
 * A token bucket for each client address: requests without a key have no quota, so this limits them instead. An IPv6
 * client counts by its /64 network, which is what one client usually gets.
 */
export class AddressLimit {
  readonly #options: AddressLimitOptions
  readonly #buckets = new TokenBuckets(MAX_ADDRESSES)

  constructor(options: AddressLimitOptions) {
    this.#options = options
  }

  get isUnused(): boolean {
    return this.#buckets.isEmpty
  }

  forgive(address: string): void {
    this.#buckets.drop(clientOf(address))
  }

  /** Takes one request from the bucket of an address. Returns 0, or the whole seconds until a request is allowed. */
  take(address: string): number {
    return Math.ceil(this.#buckets.take(clientOf(address), this.#options, this.#options.now()) / 1000)
  }
}

/**
 * The client that an address counts for: an IPv4 address itself, also when written as IPv6, else the /64 network of the
 * IPv6 address.
 */
function clientOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped !== null) return mapped[1]
  if (!address.includes(':')) return address
  const [head, tail = ''] = address.split('%')[0].split('::')
  const front = head === '' ? [] : head.split(':')
  const missing = address.includes('::') ? 8 - front.length - (tail === '' ? 0 : tail.split(':').length) : 0
  const groups = [...front, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail === '' ? [] : tail.split(':'))]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** How often an address may be refused for a wrong or missing key before it is slowed down. */
export const keyRefusalRate = { burst: 20, perMinute: 20 } as const

/**
 * Counts refusals of wrong and missing keys by address, so that nobody can try keys without end. Requests with good
 * keys from the same address are unaffected, and a good key clears the count, so that one user's mistake does not
 * affect others behind a shared address.
 */
export class KeyRefusals {
  readonly #limit: AddressLimit
  readonly #trustProxy: boolean

  constructor(limit: AddressLimit, trustProxy: boolean) {
    this.#limit = limit
    this.#trustProxy = trustProxy
  }

  /** The error to send: `refusal`, or too_many_requests if this address has had too many errors with status 401. */
  limited(refusal: ApiError, sender: Sender): ApiError {
    if (refusal.status !== 401) return refusal
    const seconds = this.#limit.take(clientAddress(sender, this.#trustProxy))
    if (seconds === 0) return refusal
    const message = `too many requests with a wrong key or none from this address; try again in ${seconds} s`
    return apiError('too_many_requests', message, {}, seconds)
  }

  forgive(sender: Sender): void {
    if (this.#limit.isUnused) return
    this.#limit.forgive(clientAddress(sender, this.#trustProxy))
  }
}
