import type { DataRequest } from '../../api/source.ts'
import type { ChainHeader } from '../../market/chain.ts'
import { parentOfRoot } from '../../market/security.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import type { KeptAnswer } from './answers.ts'

export interface RenewalOptions {
  readonly kept: (key: string) => KeptAnswer | undefined
  /** Makes an answer anew; undefined where that has to wait for something. */
  readonly make: (key: string, answer: KeptAnswer) => Promise<KeptAnswer | undefined>
  readonly wallNow: () => Instant
}

/** How long an answer serves on once a chain behind it was replaced, milliseconds, while the next one is made. */
const SERVES_ON = 250

/** Answers that rest on the chain of a symbol, by what they are kept under. */
interface RestingOnChain {
  /** Made of the chain that is held. */
  readonly made: Set<string>
  /** Asked for while the chain before it was held. */
  readonly askedBefore: ReadonlySet<string>
}

/** An answer that serves on while the next one is made. */
interface Outgoing {
  readonly key: string
  readonly answer: KeptAnswer
  readonly until: Instant
  /** How often it was asked for until then. */
  readonly timesAsked: number
  /** How much newer the chain is that has come, milliseconds, and how often there is one at best. */
  readonly behindBy: number
  readonly pace: number
}

/**
 * Makes answers anew as soon as a chain behind them is replaced, where callers come back for them: else the first of them
 * would wait with every new chain, and those that come in the same moment with him. One at a time, so that whoever asks for
 * something else waits for one of them at most; what is not made in time is left to its next caller.
 */
export class Renewals {
  readonly #options: RenewalOptions
  readonly #resting = new Map<Ticker, RestingOnChain>()
  readonly #outgoing = new Map<string, Outgoing>()
  readonly #waiting: Outgoing[] = []
  #isRenewing = false

  constructor(options: RenewalOptions) {
    this.#options = options
  }

  /** Notes what was made of the chains that are held. */
  note(key: string, { chains }: KeptAnswer): void {
    for (const chain of chains) {
      const symbol = heldSymbol(chain)
      const resting = this.#resting.get(symbol)
      if (resting === undefined) this.#resting.set(symbol, { made: new Set([key]), askedBefore: new Set() })
      else resting.made.add(key)
    }
  }

  /** Drops what is kept no more. */
  forget(key: string, { chains }: KeptAnswer): void {
    for (const chain of chains) this.#resting.get(heldSymbol(chain))?.made.delete(key)
  }

  /** Begins to make anew what callers came back for while the chain was held that this one replaces. */
  begin(chain: ChainHeader): void {
    const symbol = heldSymbol(chain)
    const resting = this.#resting.get(symbol)
    if (resting === undefined) return
    const until = this.#options.wallNow() + SERVES_ON
    const asked = new Set<string>()
    for (const key of resting.made) {
      const answer = this.#options.kept(key)
      if (answer === undefined || answer.timesAsked === 0) continue
      asked.add(key)
      if (answer.timesAsked === 1 && !resting.askedBefore.has(key)) continue
      const old = answer.chains.find((of) => heldSymbol(of) === symbol)
      if (old === undefined) continue
      const { pace } = answer.request.source.provenanceOf(old)
      const { timesAsked } = answer
      const outgoing = { key, answer, until, timesAsked, behindBy: chain.asOf - old.asOf, pace }
      this.#outgoing.set(key, outgoing)
      this.#waiting.push(outgoing)
    }
    if (asked.size === 0) this.#resting.delete(symbol)
    else this.#resting.set(symbol, { made: new Set(), askedBefore: asked })
    void this.#renew()
  }

  /** An answer that serves on for who may have data of its age. */
  outgoing(key: string, { maxAge }: DataRequest): KeptAnswer | undefined {
    const found = this.#outgoing.size === 0 ? undefined : this.#outgoing.get(key)
    if (found === undefined || this.#options.wallNow() >= found.until) return undefined
    return found.behindBy <= Math.max(maxAge, found.pace) + SERVES_ON ? found.answer : undefined
  }

  async #renew(): Promise<void> {
    if (this.#isRenewing) return
    this.#isRenewing = true
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const { key, answer, until, timesAsked } = next
      if (this.#outgoing.get(key) !== next) continue
      try {
        const made = this.#options.wallNow() < until ? await this.#options.make(key, answer) : undefined
        if (made !== undefined) made.timesAsked += answer.timesAsked - timesAsked
      } catch {
        // A failure is met again by whoever asks.
      }
      if (this.#outgoing.get(key) === next) this.#outgoing.delete(key)
    }
    this.#isRenewing = false
  }
}

/** The symbol whose chain is held for that of a root. */
function heldSymbol({ symbol }: ChainHeader): Ticker {
  return parentOfRoot(symbol) ?? symbol
}
