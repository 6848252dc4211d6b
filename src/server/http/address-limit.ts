import { type ApiError, apiError } from '../../api/error.ts'
import { TokenBuckets, type TokenRate } from '../../pacing/token-bucket.ts'
import { clientAddress, type Sender } from './client-address.ts'

export interface AddressLimitOptions extends TokenRate {
  readonly now: () => number
}

/** Rate limit of a client without a key: 60 requests at once, enough for a page of charts, then one a second. */
export const keylessRate = { burst: 60, perMinute: 60 } as const

const MAX_ADDRESSES = 10_000

/**
 * Rate limit by client address, with a token bucket for each. It limits requests without a key, which have no quota.
 * All addresses of an IPv6 /64 network share a bucket, because one client usually gets a whole network.
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
    this.#buckets.drop(networkOf(address))
  }

  /** Counts one request of an address. Returns 0 if it is allowed, otherwise the whole seconds until one is. */
  take(address: string): number {
    return Math.ceil(this.#buckets.take(networkOf(address), this.#options, this.#options.now()) / 1000)
  }
}

/**
 * Name of the bucket for an address. It is the address itself for IPv4, also if written as IPv6, and the /64 network
 * for IPv6.
 */
export function networkOf(address: string): string {
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

/** How often an address may send a wrong or missing key before its further attempts are refused. */
export const keyRefusalRate = { burst: 20, perMinute: 20 } as const

/**
 * Counts wrong and missing keys by client address, so that nobody can try keys without end. Requests with valid keys
 * from the same address are not affected. A valid key also resets the count, so that one user's mistakes do not affect
 * others behind a shared address.
 */
export class KeyRefusals {
  readonly #limit: AddressLimit
  readonly #trustProxy: boolean

  constructor(limit: AddressLimit, trustProxy: boolean) {
    this.#limit = limit
    this.#trustProxy = trustProxy
  }

  /**
   * Returns the error to send: `refusal`, or too_many_requests if the address has caused too many errors with status
   * 401.
   */
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
