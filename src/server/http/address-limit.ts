import { LRUCache } from 'lru-cache'

export interface AddressLimitOptions {
  /** Requests an address may make at once, and how many it gets back each minute. */
  readonly burst: number
  readonly perMinute: number
  /** Wall-clock milliseconds. */
  readonly now: () => number
}

/** What is left of one address, and when that was last counted. */
interface Bucket {
  tokens: number
  at: number
}

/** What a client without a key may ask: a page of charts at once, and then one request each second. */
export const keylessRate = { burst: 60, perMinute: 60 } as const

/** An address that is forgotten begins anew with a full bucket, so forgetting the longest idle harms nobody. */
const MAX_ADDRESSES = 10_000
const MINUTE = 60_000

/**
 * A token bucket for each client address: requests without a key have no quota, and this stands in its place. Bounded,
 * so that many addresses cost no memory; an IPv6 client counts by its /64 network, which is what one client holds.
 */
export class AddressLimit {
  readonly #options: AddressLimitOptions
  readonly #buckets = new LRUCache<string, Bucket>({ max: MAX_ADDRESSES })

  constructor(options: AddressLimitOptions) {
    this.#options = options
  }

  /** Whether no address has taken anything yet. */
  get isUnused(): boolean {
    return this.#buckets.size === 0
  }

  /** Gives an address its full bucket back. */
  forgive(address: string): void {
    this.#buckets.delete(clientOf(address))
  }

  /** Takes one request from an address. Returns 0, or the whole seconds until one is allowed. */
  take(address: string): number {
    const { burst, perMinute, now } = this.#options
    const at = now()
    const client = clientOf(address)
    let bucket = this.#buckets.get(client)
    if (bucket === undefined) this.#buckets.set(client, (bucket = { tokens: burst, at }))
    bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, at - bucket.at) * perMinute) / MINUTE)
    bucket.at = at
    if (bucket.tokens < 1) return Math.max(1, Math.ceil(((1 - bucket.tokens) * MINUTE) / perMinute / 1000))
    bucket.tokens--
    return 0
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
