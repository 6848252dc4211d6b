import { type ApiError, apiError } from '../../api/error.ts'
import { TokenBuckets, type TokenRate } from '../../pacing/token-bucket.ts'
import { clientAddress, type Sender } from './client-address.ts'

export interface AddressLimitOptions extends TokenRate {
  /** Wall-clock milliseconds. */
  readonly now: () => number
}

/** What a client without a key may ask: a page of charts at once, and then one request each second. */
export const keylessRate = { burst: 60, perMinute: 60 } as const

const MAX_ADDRESSES = 10_000

/**
 * A token bucket for each client address: requests without a key have no quota, and this stands in its place. Bounded,
 * so that many addresses cost no memory; an IPv6 client counts by its /64 network, which is what one client holds.
 */
export class AddressLimit {
  readonly #options: AddressLimitOptions
  readonly #buckets = new TokenBuckets(MAX_ADDRESSES)

  constructor(options: AddressLimitOptions) {
    this.#options = options
  }

  /** Whether no address has taken anything yet. */
  get isUnused(): boolean {
    return this.#buckets.isEmpty
  }

  /** Gives an address its full bucket back. */
  forgive(address: string): void {
    this.#buckets.drop(clientOf(address))
  }

  /** Takes one request from an address. Returns 0, or the whole seconds until one is allowed. */
  take(address: string): number {
    return Math.ceil(this.#buckets.take(clientOf(address), this.#options, this.#options.now()) / 1000)
  }
}

/** Who an address stands for: an IPv4 address itself, also where it is written as IPv6; of any other IPv6 the /64. */
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

/** How often an address may be told that its key is wrong or missing. */
export const keyRefusalRate = { burst: 20, perMinute: 20 } as const

/**
 * Counts the refusals of wrong and missing keys by address: keys cannot be tried without end, and a client that has lost
 * its key does not keep the service busy. Good keys of the same address are not looked at; one that comes forgives what
 * was counted, so that a slip of one user behind a shared address does not stay with the others.
 */
export class KeyRefusals {
  readonly #limit: AddressLimit
  readonly #trustProxy: boolean

  constructor(limit: AddressLimit, trustProxy: boolean) {
    this.#limit = limit
    this.#trustProxy = trustProxy
  }

  /** What to send as a refusal: itself, or too_many_requests in the place of one 401 too many. */
  limited(refusal: ApiError, sender: Sender): ApiError {
    if (refusal.status !== 401) return refusal
    const seconds = this.#limit.take(clientAddress(sender, this.#trustProxy))
    if (seconds === 0) return refusal
    const message = `too many requests with a wrong key or none from this address; try again in ${seconds} s`
    return apiError('too_many_requests', message, {}, seconds)
  }

  /** A good key came from the sender's address. */
  forgive(sender: Sender): void {
    if (this.#limit.isUnused) return
    this.#limit.forgive(clientAddress(sender, this.#trustProxy))
  }
}
