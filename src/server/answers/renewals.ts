import { LRUCache } from 'lru-cache'
import type { Endpoint } from '../../api/endpoint.ts'
import type { ChainRead } from '../../api/inputs/revalidate.ts'
import type { Entitlement } from '../../api/plan.ts'
import type { DataRequest } from '../../api/source.ts'
import type { ChainHeader } from '../../market/chain.ts'
import { parentOfRoot } from '../../market/security.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import type { CachedAnswer } from './answers.ts'

/** A question that is asked again and again, and what its answer is kept under. */
export interface Asked {
  readonly key: string
  readonly endpoint: Endpoint
  readonly params: Readonly<Record<string, unknown>>
  readonly caller: readonly Entitlement[]
  readonly request: DataRequest
}

/** One of them as it was last looked at. Times are wall-clock milliseconds. */
export interface Renewable extends Asked {
  /** The chains that were read for it, by the symbol that is held. */
  readonly reads: Map<Ticker, ChainRead>
  lastAsked: Instant
  askedBefore: Instant
}

export interface RenewalOptions {
  readonly kept: (key: string) => CachedAnswer | undefined
  /** Makes an answer anew, where nothing has to be waited for. */
  readonly make: (asked: Asked) => Promise<void>
  readonly wallNow: () => Instant
}

/** How long an answer serves on after a chain behind it was replaced, milliseconds: so long the next one may take. */
const SERVES_ON = 250
const MAX_NOTED = 10_000

const neverAsked = { lastAsked: Number.NEGATIVE_INFINITY, askedBefore: Number.NEGATIVE_INFINITY }

/** An answer that is being made anew, and the one that serves on meanwhile. */
interface Renewal {
  readonly renewable: Renewable
  readonly answer: CachedAnswer
  readonly until: Instant
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
  readonly #underWay = new Map<string, Renewal>()
  readonly #waiting: Renewal[] = []
  #isRenewing = false

  constructor(options: RenewalOptions) {
    this.#options = options
    this.#noted = new LRUCache<string, Renewable>({
      max: MAX_NOTED,
      dispose: (renewable, key, reason) => reason !== 'set' && this.#forget(key, renewable)
    })
  }

  /** Notes what was read for a question. */
  note(asked: Asked, reads: readonly ChainRead[]): Renewable {
    const { key } = asked
    const { lastAsked, askedBefore } = this.#noted.peek(key) ?? neverAsked
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
      if (renewable === undefined || read === undefined) {
        keys.delete(key)
        continue
      }
      const { pace } = renewable.request.source.provenanceOf(chain)
      const lived = Math.max(chain.asOf - read.asOf, pace)
      if (now - renewable.lastAsked > 2 * lived) this.#noted.delete(key)
      renewable.reads.set(symbol, { ...read, asOf: chain.asOf })
      // Who comes more seldom than new chains do would have most answers made for nobody.
      const isAskedAgain = now - renewable.askedBefore <= 2 * lived
      const isInTime = lived <= Math.max(read.maxAge, pace) + SERVES_ON
      const answer = this.#options.kept(key)
      if (!isAskedAgain || !isInTime || answer === undefined) continue
      const renewal = { renewable, answer, until: now + SERVES_ON }
      this.#underWay.set(key, renewal)
      this.#waiting.push(renewal)
    }
    void this.#renew()
  }

  /** The answer that serves on until the next one is made, for who may have data of its age. */
  outgoing(key: string, { maxAge }: DataRequest): CachedAnswer | undefined {
    const renewal = this.#underWay.size === 0 ? undefined : this.#underWay.get(key)
    if (renewal === undefined || maxAge < renewal.renewable.request.maxAge) return undefined
    if (this.#options.wallNow() >= renewal.until) return undefined
    this.asked(renewal.renewable)
    return renewal.answer
  }

  async #renew(): Promise<void> {
    if (this.#isRenewing) return
    this.#isRenewing = true
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const { renewable, until } = next
      const { key } = renewable
      if (this.#underWay.get(key) !== next) continue
      try {
        if (this.#options.wallNow() < until) await this.#options.make(renewable)
      } catch {
        // Whoever asks meets the failure again.
      }
      if (this.#underWay.get(key) === next) this.#underWay.delete(key)
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
