import { LRUCache } from 'lru-cache'
import type { Endpoint } from '../../api/endpoint.ts'
import type { ChainRead } from '../../api/inputs/revalidate.ts'
import type { DataRequest } from '../../api/market-source.ts'
import type { Entitlement } from '../../api/plan.ts'
import type { ChainHeader } from '../../market/chain.ts'
import { parentOfRoot } from '../../market/security.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import type { CachedAnswer } from './answers.ts'

/** A question that is asked again and again, and what its answer is kept under. */
export interface RenewalRequest {
  readonly key: string
  readonly endpoint: Endpoint
  readonly params: Readonly<Record<string, unknown>>
  readonly caller: readonly Entitlement[]
  readonly request: DataRequest
}

/** One of them as it was last looked at. Times are wall-clock milliseconds. */
export interface Renewable extends RenewalRequest {
  /** The chains that were read for it, by the symbol that is held. */
  readonly reads: Map<Ticker, ChainRead>
  lastAsked: Instant
  askedBefore: Instant
}

export interface RenewalOptions {
  readonly kept: (key: string) => CachedAnswer | undefined
  /** Makes an answer anew, where nothing has to be waited for. */
  readonly make: (asked: RenewalRequest) => Promise<void>
  readonly wallNow: () => Instant
}

/**
 * How long an answer serves on after the first chain behind it was replaced, and how long its successor may wait for its
 * turn, milliseconds.
 */
const SERVES_ON = 250
const MAX_NOTED = 10_000
/** An answer that rests on more chains is replaced all the time: it is made when somebody asks. */
const MAX_READS = 8

const neverAsked = { lastAsked: Number.NEGATIVE_INFINITY, askedBefore: Number.NEGATIVE_INFINITY }

/** An answer that is being made anew, and the one that serves on meanwhile. */
interface Renewal {
  readonly renewable: Renewable
  readonly answer: CachedAnswer
  /** When it no longer serves, and when it is too late to make the next one. */
  readonly servesUntil: Instant
  readonly madeUntil: Instant
}

/**
 * Makes answers anew as soon as a chain behind them is replaced, where callers come back for them: else the first would wait
 * with every new chain, and all that come in the same moment with him. They are made one at a time, so that whoever
 * asks for something else waits for one of them at most; what is not made in time is left to its next caller.
 */
export class Renewals {
  readonly #options: RenewalOptions
  readonly #noted: LRUCache<string, Renewable>
  /** What rests on the chain of a symbol, by its keys. */
  readonly #restingOn = new Map<Ticker, Set<string>>()
  /** In the order in which they are made; who has to be made of a later chain than thought keeps his place. */
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

  /** Notes what was read for a question. */
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

  /** Notes that somebody asked. */
  asked(renewable: Renewable): void {
    renewable.askedBefore = renewable.lastAsked
    renewable.lastAsked = this.#options.wallNow()
  }

  /** Begins to make anew what callers come back for, now that this chain has replaced the one it rests on. */
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
      // Who comes more seldom than new chains do would have most answers made for nobody.
      const isAskedAgain = now - renewable.askedBefore <= 2 * lived
      const isInTime = lived <= Math.max(read.maxAge, pace) + SERVES_ON
      if (!isAskedAgain || !isInTime || renewable.reads.size > MAX_READS) continue
      const [servesUntil, madeUntil] = [since + SERVES_ON, now + SERVES_ON]
      this.#underWay.set(key, { renewable, answer, servesUntil, madeUntil })
    }
    void this.#renew()
  }

  /** The answer that serves on until the next one is made, for who may have data of its age. */
  outgoing(key: string, { maxAge }: DataRequest): CachedAnswer | undefined {
    const renewal = this.#underWay.size === 0 ? undefined : this.#underWay.get(key)
    if (renewal === undefined) return undefined
    const { renewable, answer, servesUntil } = renewal
    if (maxAge < renewable.request.maxAge) return undefined
    if (this.#options.wallNow() >= servesUntil) return undefined
    if (this.#options.kept(key) !== answer) return undefined // somebody else was faster
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
        // Whoever asks once it serves no longer meets the failure again.
      }
      const later = this.#underWay.get(key)
      this.#underWay.delete(key)
      // Another chain has come meanwhile: it is made again, behind the others.
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

/** The symbol whose chain is held for that of a root. */
function heldSymbol({ symbol }: { readonly symbol: Ticker }): Ticker {
  return parentOfRoot(symbol) ?? symbol
}
