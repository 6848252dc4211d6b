import { LRUCache } from 'lru-cache'
import type { Endpoint } from '../../api/endpoint.ts'
import type { ChainRead } from '../../api/inputs/revalidate.ts'
import type { DataRequest } from '../../api/market-source.ts'
import type { Entitlement } from '../../api/plan.ts'
import type { ChainHeader } from '../../market/chain.ts'
import { parentOfRoot } from '../../market/security.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import type { CachedAnswer } from './answers.ts'

/** A request whose answer may be renewed, and its cache key. */
export interface RenewalRequest {
  readonly key: string
  readonly endpoint: Endpoint
  readonly params: Readonly<Record<string, unknown>>
  readonly caller: readonly Entitlement[]
  readonly request: DataRequest
}

/** A renewable answer and its demand. Times are wall-clock milliseconds. */
export interface Renewable extends RenewalRequest {
  /** The chains read for it, by the symbol whose chain is held. */
  readonly reads: Map<Ticker, ChainRead>
  lastAsked: Instant
  askedBefore: Instant
}

export interface RenewalOptions {
  readonly kept: (key: string) => CachedAnswer | undefined
  /** Makes an answer again, if its inputs are ready. */
  readonly make: (asked: RenewalRequest) => Promise<void>
  readonly wallNow: () => Instant
}

/**
 * How long an answer is still sent after the first chain behind it was replaced, and how long its renewal may wait,
 * milliseconds.
 */
const SERVES_ON = 250
const MAX_NOTED = 10_000
/** An answer made from more chains would be outdated all the time, so it is made on demand. */
const MAX_READS = 8

const neverAsked = { lastAsked: Number.NEGATIVE_INFINITY, askedBefore: Number.NEGATIVE_INFINITY }

/** An answer that is being renewed, and the previous one that is sent meanwhile. */
interface Renewal {
  readonly renewable: Renewable
  readonly answer: CachedAnswer
  /** When the previous answer is no longer sent, and when it is too late to make the next one. */
  readonly servesUntil: Instant
  readonly madeUntil: Instant
}

/**
 * Renews answers in demand as soon as a chain behind them is replaced, so that no caller waits for each new chain. They
 * are made one at a time, so another request waits for one of them at most; what is not made in time is left to its
 * next caller.
 */
export class Renewals {
  readonly #options: RenewalOptions
  readonly #noted: LRUCache<string, Renewable>
  /** Cache keys of the answers made from the chain of each symbol. */
  readonly #restingOn = new Map<Ticker, Set<string>>()
  /** Renewals in the order in which they are made; one that gets a newer chain keeps its place. */
  readonly #underWay = new Map<string, Renewal>()
  /** When the first chain behind an answer was replaced. */
  readonly #outdatedSince = new WeakMap<CachedAnswer, Instant>()
  #isRenewing = false

  constructor(options: RenewalOptions) {
    this.#options = options
    this.#noted = new LRUCache<string, Renewable>({
      max: MAX_NOTED,
      dispose: (renewable, key, reason) => reason !== 'set' && this.#forget(key, renewable)
    })
  }

  /** Notes the chains that were read for a request. */
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

  /** Notes a request for the answer. */
  asked(renewable: Renewable): void {
    renewable.askedBefore = renewable.lastAsked
    renewable.lastAsked = this.#options.wallNow()
  }

  /** Begins to renew the answers in demand that were made from the chain before this one. */
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
      // If callers come less often than chains, most renewed answers would have no reader.
      const isAskedAgain = now - renewable.askedBefore <= 2 * lived
      const isInTime = lived <= Math.max(read.maxAge, pace) + SERVES_ON
      if (!isAskedAgain || !isInTime || renewable.reads.size > MAX_READS) continue
      const [servesUntil, madeUntil] = [since + SERVES_ON, now + SERVES_ON]
      this.#underWay.set(key, { renewable, answer, servesUntil, madeUntil })
    }
    void this.#renew()
  }

  /** The previous answer while the next one is being made, if the caller accepts data of its age. */
  outgoing(key: string, { maxAge }: DataRequest): CachedAnswer | undefined {
    const renewal = this.#underWay.size === 0 ? undefined : this.#underWay.get(key)
    if (renewal === undefined) return undefined
    const { renewable, answer, servesUntil } = renewal
    if (maxAge < renewable.request.maxAge) return undefined
    if (this.#options.wallNow() >= servesUntil) return undefined
    if (this.#options.kept(key) !== answer) return undefined // another request has made it already
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
        // A caller who comes after `servesUntil` meets the failure again.
      }
      const later = this.#underWay.get(key)
      this.#underWay.delete(key)
      // Another chain has come meanwhile, so it is made again, behind the others.
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

/** The symbol whose chain is held for a root. */
function heldSymbol({ symbol }: { readonly symbol: Ticker }): Ticker {
  return parentOfRoot(symbol) ?? symbol
}
