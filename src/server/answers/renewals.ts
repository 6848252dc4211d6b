import { LRUCache } from 'lru-cache'
import type { Endpoint } from '../../api/endpoint.ts'
import type { ChainRead } from '../../api/inputs/revalidate.ts'
import type { DataRequest } from '../../api/market-source.ts'
import type { Entitlement } from '../../api/plan.ts'
import { OUTGOING_ANSWER_SERVES } from '../../facts/freshness.ts'
import type { ChainHeader } from '../../market/chain.ts'
import { parentOfRoot } from '../../market/security.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import type { CachedAnswer } from './answers.ts'

/** A request whose cached response may be renewed, and its cache key. */
export interface RenewalRequest {
  readonly key: string
  readonly endpoint: Endpoint
  readonly params: Readonly<Record<string, unknown>>
  readonly caller: readonly Entitlement[]
  readonly request: DataRequest
}

/** A cached response that may be renewed, and the demand for it. Times are wall-clock milliseconds. */
export interface Renewable extends RenewalRequest {
  readonly reads: Map<Ticker, ChainRead>
  lastAsked: Instant
  askedBefore: Instant
}

export interface RenewalOptions {
  readonly kept: (key: string) => CachedAnswer | undefined
  readonly make: (asked: RenewalRequest) => Promise<void>
  readonly wallNow: () => Instant
}

const MAX_NOTED = 10_000
/** Responses computed from more chains would be outdated all the time, so they are computed on demand. */
const MAX_READS = 8

const neverAsked = { lastAsked: Number.NEGATIVE_INFINITY, askedBefore: Number.NEGATIVE_INFINITY }

interface Renewal {
  readonly renewable: Renewable
  readonly answer: CachedAnswer
  /** When the previous response is no longer sent; `madeUntil` is when it is too late to compute the next one. */
  readonly servesUntil: Instant
  readonly madeUntil: Instant
}

/**
 * Renews responses in demand as soon as a chain behind them is replaced, so that no request waits for each new chain.
 * Responses are computed one at a time, so another request waits for at most one of them; a response that is not ready
 * in time is computed for its next request.
 */
export class Renewals {
  readonly #options: RenewalOptions
  readonly #noted: LRUCache<string, Renewable>
  readonly #restingOn = new Map<Ticker, Set<string>>()
  /** Renewals in the order in which they run; one whose chain is replaced again keeps its place. */
  readonly #underWay = new Map<string, Renewal>()
  /** Time at which the first chain behind a response was replaced. */
  readonly #outdatedSince = new WeakMap<CachedAnswer, Instant>()
  #isRenewing = false

  constructor(options: RenewalOptions) {
    this.#options = options
    this.#noted = new LRUCache<string, Renewable>({
      max: MAX_NOTED,
      dispose: (renewable, key, reason) => reason !== 'set' && this.#forget(key, renewable)
    })
  }

  /** Records the chains that were read for a request. */
  note(asked: RenewalRequest, reads: readonly ChainRead[]): Renewable {
    const { key } = asked
    const before = this.#noted.peek(key)
    if (before !== undefined) this.#forget(key, before)
    const { lastAsked, askedBefore } = before ?? neverAsked
    const renewable = { ...asked, reads: new Map<Ticker, ChainRead>(), lastAsked, askedBefore }
    for (const read of reads) {
      const symbol = heldSymbol(read)
      renewable.reads.set(symbol, read)
      let keys = this.#restingOn.get(symbol)
      if (keys === undefined) this.#restingOn.set(symbol, (keys = new Set()))
      keys.add(key)
    }
    this.#noted.set(key, renewable)
    return renewable
  }

  asked(renewable: Renewable): void {
    renewable.askedBefore = renewable.lastAsked
    renewable.lastAsked = this.#options.wallNow()
  }

  /** Starts to renew the responses in demand that were computed from the previous chain of this symbol. */
  begin(chain: ChainHeader): void {
    const symbol = heldSymbol(chain)
    const now = this.#options.wallNow()
    const keys = this.#restingOn.get(symbol) ?? new Set()
    for (const key of keys) {
      const renewable = this.#noted.peek(key)
      const read = renewable?.reads.get(symbol)
      if (renewable === undefined || read === undefined) continue
      const { pace } = renewable.request.source.provenanceOf(chain)
      const lived = Math.max(chain.asOf - read.asOf, pace)
      if (now - renewable.lastAsked > 2 * lived) this.#noted.delete(key)
      renewable.reads.set(symbol, { ...read, asOf: chain.asOf })
      const answer = this.#options.kept(key)
      if (answer === undefined) continue
      const since = this.#outdatedSince.get(answer) ?? now
      this.#outdatedSince.set(answer, since)
      // If requests come less often than chains, most renewed responses would never be sent.
      const isAskedAgain = now - renewable.askedBefore <= 2 * lived
      const isInTime = lived <= Math.max(read.maxAge, pace) + OUTGOING_ANSWER_SERVES
      if (!isAskedAgain || !isInTime || renewable.reads.size > MAX_READS) continue
      const [servesUntil, madeUntil] = [since + OUTGOING_ANSWER_SERVES, now + OUTGOING_ANSWER_SERVES]
      this.#underWay.set(key, { renewable, answer, servesUntil, madeUntil })
    }
    void this.#renew()
  }

  /** The previous response while the next one is being computed, if the caller accepts data of that age. */
  outgoing(key: string, { maxAge }: DataRequest): CachedAnswer | undefined {
    const renewal = this.#underWay.size === 0 ? undefined : this.#underWay.get(key)
    if (renewal === undefined) return undefined
    const { renewable, answer, servesUntil } = renewal
    if (maxAge < renewable.request.maxAge) return undefined
    if (this.#options.wallNow() >= servesUntil) return undefined
    if (this.#options.kept(key) !== answer) return undefined
    this.asked(renewable)
    return answer
  }

  async #renew(): Promise<void> {
    if (this.#isRenewing) return
    this.#isRenewing = true
    for (let [next] = this.#underWay; next !== undefined; [next] = this.#underWay) {
      const [key, renewal] = next
      try {
        if (this.#options.wallNow() < renewal.madeUntil) await this.#options.make(renewal.renewable)
      } catch {
        // A request that arrives after `servesUntil` meets the failure again.
      }
      const later = this.#underWay.get(key)
      this.#underWay.delete(key)
      // Another chain has arrived meanwhile, so the response is computed again, after the others.
      if (later !== undefined && later !== renewal) this.#underWay.set(key, later)
    }
    this.#isRenewing = false
  }

  #forget(key: string, { reads }: Renewable): void {
    for (const symbol of reads.keys()) {
      const keys = this.#restingOn.get(symbol)
      if (keys?.delete(key) && keys.size === 0) this.#restingOn.delete(symbol)
    }
  }
}

/** The symbol under which the chain of a weekly root is loaded. */
function heldSymbol({ symbol }: { readonly symbol: Ticker }): Ticker {
  return parentOfRoot(symbol) ?? symbol
}
