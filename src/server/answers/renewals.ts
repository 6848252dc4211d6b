import type { Endpoint } from '../../api/endpoint.ts'
import type { ChainRead } from '../../api/inputs/market-reader.ts'
import type { DataRequest } from '../../api/market-source.ts'
import type { Entitlement } from '../../api/plan.ts'
import { OUTGOING_ANSWER_SERVES } from '../../facts/freshness.ts'
import type { ChainHeader } from '../../market/chain.ts'
import { parentOfRoot } from '../../market/security.ts'
import type { Ticker } from '../../market/units.ts'
import type { KeptAnswer } from './kept-answer.ts'

/** A request whose cached response may be renewed, and its cache key. */
export interface RenewalRequest {
  readonly key: string
  readonly endpoint: Endpoint
  readonly params: Readonly<Record<string, unknown>>
  readonly caller: readonly Entitlement[]
  readonly request: DataRequest
}

/**
 * How a cached response and its successors are renewed, the chains that they are read from, and the demand for them.
 * Times are milliseconds of the steady clock.
 */
export interface Renewable extends RenewalRequest {
  request: DataRequest
  readonly reads: Map<Ticker, ChainRead>
  lastAsked: number
  askedBefore: number
}

export interface RenewalOptions {
  readonly kept: (key: string) => KeptAnswer | undefined
  readonly make: (asked: RenewalRequest) => Promise<void>
  readonly steadyNow: () => number
}

/** Responses computed from more chains would be outdated all the time, so they are computed on demand. */
const MAX_READS = 8

interface Renewal {
  readonly answer: KeptAnswer
  /** When the previous response is no longer sent; `madeUntil` is when it is too late to compute the next one. */
  readonly servesUntil: number
  readonly madeUntil: number
}

/**
 * Renews responses in demand as soon as a chain behind them is replaced, so that no request waits for each new chain.
 * Responses are computed one at a time, so another request waits for at most one of them; a response that is not ready
 * in time is computed for its next request.
 */
export class Renewals {
  readonly #options: RenewalOptions
  readonly #bySymbol = new Map<Ticker, Set<Renewable>>()
  /** Renewals in the order in which they run; one whose chain is replaced again keeps its place. */
  readonly #underWay = new Map<Renewable, Renewal>()
  #isRenewing = false

  constructor(options: RenewalOptions) {
    this.#options = options
  }

  /** Records for whom a response is renewed, and the chains that were read for it. */
  note(before: Renewable | undefined, asked: RenewalRequest, reads: readonly ChainRead[]): Renewable {
    if (before !== undefined) this.forget(before)
    const never = Number.NEGATIVE_INFINITY
    const renewable = before ?? { ...asked, reads: new Map(), lastAsked: never, askedBefore: never }
    renewable.request = asked.request
    renewable.reads.clear()
    for (const read of reads) {
      const symbol = heldSymbol(read)
      renewable.reads.set(symbol, read)
      let sharing = this.#bySymbol.get(symbol)
      if (sharing === undefined) this.#bySymbol.set(symbol, (sharing = new Set()))
      sharing.add(renewable)
    }
    return renewable
  }

  /** Drops a response that is no longer cached, or that nobody comes back for. */
  forget(renewable: Renewable): void {
    for (const symbol of renewable.reads.keys()) {
      const sharing = this.#bySymbol.get(symbol)
      if (sharing?.delete(renewable) && sharing.size === 0) this.#bySymbol.delete(symbol)
    }
  }

  asked(renewable: Renewable): void {
    renewable.askedBefore = renewable.lastAsked
    renewable.lastAsked = this.#options.steadyNow()
  }

  /** Starts to renew the responses in demand that were computed from the previous chain of this symbol. */
  begin(chain: ChainHeader): void {
    const symbol = heldSymbol(chain)
    const now = this.#options.steadyNow()
    for (const renewable of [...(this.#bySymbol.get(symbol) ?? [])]) {
      const read = renewable.reads.get(symbol)!
      const { pace } = renewable.request.source.provenanceOf(chain)
      const lived = Math.max(chain.asOf - read.asOf, pace)
      const answer = this.#options.kept(renewable.key)
      if (now - renewable.lastAsked > 2 * lived) {
        this.forget(renewable)
        if (answer !== undefined) answer.renewable = undefined
      }
      renewable.reads.set(symbol, { ...read, asOf: chain.asOf })
      if (answer === undefined) continue
      const since = (answer.outdatedSince ??= now)
      // If requests come less often than chains, most renewed responses would never be sent.
      const isAskedAgain = now - renewable.askedBefore <= 2 * lived
      const isInTime = lived <= Math.max(read.maxAge, pace) + OUTGOING_ANSWER_SERVES
      if (!isAskedAgain || !isInTime || renewable.reads.size > MAX_READS) continue
      const [servesUntil, madeUntil] = [since + OUTGOING_ANSWER_SERVES, now + OUTGOING_ANSWER_SERVES]
      this.#underWay.set(renewable, { answer, servesUntil, madeUntil })
    }
    void this.#renew()
  }

  /** Whether a response is sent although its successor is being computed, if the caller accepts data of that age. */
  serves(answer: KeptAnswer, { maxAge }: DataRequest): boolean {
    const { renewable } = answer
    const renewal = renewable && this.#underWay.get(renewable)
    if (renewal?.answer !== answer || maxAge < renewable!.request.maxAge) return false
    if (this.#options.steadyNow() >= renewal.servesUntil) return false
    this.asked(renewable!)
    return true
  }

  async #renew(): Promise<void> {
    if (this.#isRenewing) return
    this.#isRenewing = true
    for (let [next] = this.#underWay; next !== undefined; [next] = this.#underWay) {
      const [renewable, renewal] = next
      try {
        if (this.#options.steadyNow() < renewal.madeUntil) await this.#options.make(renewable)
      } catch {
        // A request that arrives after `servesUntil` meets the failure again.
      }
      const later = this.#underWay.get(renewable)
      this.#underWay.delete(renewable)
      // Another chain has arrived meanwhile, so the response is computed again, after the others.
      if (later !== undefined && later !== renewal) this.#underWay.set(renewable, later)
    }
    this.#isRenewing = false
  }
}

/** The symbol under which the chain of a weekly root is loaded. */
export function heldSymbol({ symbol }: { readonly symbol: Ticker }): Ticker {
  return parentOfRoot(symbol) ?? symbol
}
