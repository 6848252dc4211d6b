import type { Soon } from '../api/source.ts'
import type { Engine } from '../engine/engine.ts'
import { previousTradingDay } from '../market/calendar.ts'
import { easternDate } from '../market/eastern.ts'
import { parentOfRoot } from '../market/security.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { type KeptChain, partOf, replace } from './kept-chain.ts'

/** The close of the trading day before a chain's own. Times are wall-clock milliseconds. */
interface PriorClose extends KeptChain {
  readonly session: IsoDate
  loading: Promise<PricedChain | undefined> | undefined
  askedAt: Instant
  retryAt: Instant
}

const minute = 60_000
/** A source that failed is asked again after this long. */
const afterFault = minute
/** A day the source lacks may be there later; a past day that is known does not change. */
const afterNothing = 5 * minute
const idleAfter = 15 * minute

/** The prior close of every symbol that was asked for one lately. A source without it leaves an answer without it. */
export class PriorCloses {
  readonly #engine: Pick<Engine, 'loadClose' | 'forget'>
  readonly #wallNow: () => Instant
  readonly #forget: (chain: PricedChain) => void
  readonly #closes = new Map<Ticker, PriorClose>()

  constructor(engine: Pick<Engine, 'loadClose' | 'forget'>, wallNow: () => Instant) {
    this.#engine = engine
    this.#forget = (chain) => engine.forget(chain)
    this.#wallNow = wallNow
  }

  /** The chain's symbol at the close before; for a weekly root the part of its index. */
  of(chain: PricedChain): Soon<PricedChain | undefined> {
    const parent = parentOfRoot(chain.symbol)
    const prior = this.#whole(parent ?? chain.symbol, previousTradingDay(easternDate(chain.asOf)))
    if (parent === undefined) return prior
    const part = (close: PricedChain | undefined) =>
      close && partOf(this.#closes.get(parent), close, chain.symbol, this.#forget)
    return prior instanceof Promise ? prior.then(part) : part(prior)
  }

  dropIdle(now: Instant): void {
    for (const [symbol, { loading, askedAt }] of this.#closes) {
      if (loading === undefined && now - askedAt > idleAfter) this.drop(symbol)
    }
  }

  drop(symbol: Ticker): void {
    const prior = this.#closes.get(symbol)
    if (prior === undefined) return
    replace(prior, undefined, this.#forget)
    this.#closes.delete(symbol)
  }

  #whole(symbol: Ticker, session: IsoDate): Soon<PricedChain | undefined> {
    const now = this.#wallNow()
    let prior = this.#closes.get(symbol)
    if (prior?.session !== session) {
      this.drop(symbol)
      const never = Number.NEGATIVE_INFINITY
      prior = { session, chain: undefined, parts: new Map(), loading: undefined, askedAt: now, retryAt: never }
      this.#closes.set(symbol, prior)
    }
    prior.askedAt = now
    if (prior.loading === undefined && now < prior.retryAt) return prior.chain
    return (prior.loading ??= this.#load(symbol, prior))
  }

  async #load(symbol: Ticker, prior: PriorClose): Promise<PricedChain | undefined> {
    let pause = afterFault
    let found: PricedChain | undefined
    try {
      found = await this.#engine.loadClose(symbol, prior.session)
      pause = found === undefined ? afterNothing : Number.POSITIVE_INFINITY
    } catch {
      // The answer goes without it.
    }
    prior.loading = undefined
    prior.retryAt = this.#wallNow() + pause
    if (this.#closes.get(symbol) === prior) prior.chain = found
    else if (found !== undefined) this.#forget(found)
    return found
  }
}
