import { apiError } from '../api/error.ts'
import type { MaybePromise } from '../api/maybe-promise.ts'
import { closingMoment } from '../archive/closing.ts'
import { session as sessionOf } from '../market/calendar.ts'
import { parentOfRoot } from '../market/security.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { type KeptChain, partOf, replace } from '../pricing/root-parts.ts'
import type { Engine } from '../workers/engine.ts'
import type { MarketObserver, PastArchive } from './events.ts'

/** A symbol's chain at the close of one past session. Times are wall-clock milliseconds. */
interface ClosingChain extends KeptChain {
  readonly symbol: Ticker
  loading: Promise<PricedChain | undefined> | undefined
  /** Whether the source failed when it was last asked. */
  failed: boolean
  askedAt: Instant
  /** Its place in the order of asking. */
  turn: number
  retryAt: Instant
}

const MINUTE = 60_000
/** A source that failed is asked again after this long. */
const RETRY_AFTER_FAILURE = MINUTE
/** A day the source lacks may be there later; a past day that is known does not change. */
const RETRY_WHEN_ABSENT = 5 * MINUTE
const IDLE_AFTER = 15 * MINUTE
/** Sessions held of one symbol: the prior close, and a few that somebody looks back to. */
const MAX_SESSIONS = 4
/** Contracts held of all of them, some 200 bytes each. */
const MAX_CONTRACTS = 2_000_000
const NEVER = Number.NEGATIVE_INFINITY

interface Options {
  readonly engine: Pick<Engine, 'run' | 'forget'>
  /** Asked first: what was recorded counts before what a source says of a past day now. */
  readonly archive?: Pick<PastArchive, 'closingSnapshot'> | undefined
  readonly observer: Pick<MarketObserver, 'chain'>
  readonly marketNow: () => Instant
  readonly wallNow: () => Instant
}

/** The chains at the close of those past sessions that somebody asked for lately, each loaded once. */
export class ClosingChains {
  readonly #options: Options
  readonly #forget: (chain: PricedChain) => void
  /** By symbol and session. */
  readonly #held = new Map<string, ClosingChain>()
  #turns = 0
  #contracts = 0

  constructor(options: Options) {
    this.#options = options
    this.#forget = (chain) => options.engine.forget(chain)
  }

  /** The chain of a symbol, for a weekly root the part of its index. Undefined: not held, or the session is not over. */
  of(root: Ticker, session: IsoDate): MaybePromise<PricedChain | undefined> {
    const close = sessionOf(session)?.close
    if (close === undefined || close > this.#options.marketNow()) return undefined
    const symbol = parentOfRoot(root) ?? root
    const name = `${symbol} ${session}`
    const whole = this.#whole(name, symbol, session)
    if (symbol === root) return whole
    const part = (chain: PricedChain | undefined) => chain && partOf(this.#held.get(name), chain, root, this.#forget)
    return whole instanceof Promise ? whole.then(part) : part(whole)
  }

  dropIdle(now: Instant): void {
    for (const [name, { loading, askedAt }] of this.#held) {
      if (loading === undefined && now - askedAt > IDLE_AFTER) this.#drop(name)
    }
  }

  /** Drops every session of a symbol. */
  drop(symbol: Ticker): void {
    for (const [name, held] of this.#held) if (held.symbol === symbol) this.#drop(name)
  }

  #whole(name: string, symbol: Ticker, session: IsoDate): MaybePromise<PricedChain | undefined> {
    const now = this.#options.wallNow()
    let held = this.#held.get(name)
    if (held === undefined) {
      this.#makeRoom(symbol)
      const nothing = { chain: undefined, parts: new Map(), loading: undefined, failed: false }
      held = { symbol, ...nothing, askedAt: now, turn: 0, retryAt: NEVER }
      this.#held.set(name, held)
    }
    held.askedAt = now
    held.turn = ++this.#turns
    if (held.loading !== undefined) return held.loading
    if (now >= held.retryAt) return (held.loading = this.#load(name, held, session))
    if (held.failed) throw unavailable(symbol, session)
    return held.chain
  }

  async #load(name: string, held: ClosingChain, session: IsoDate): Promise<PricedChain | undefined> {
    const { engine, observer, wallNow } = this.#options
    let found: PricedChain | undefined
    let failed = false
    try {
      found = await this.#recorded(held.symbol, session)
      if (found === undefined) {
        found = await engine.run('loadClosingChain', { symbol: held.symbol, session })
        if (found !== undefined) observer.chain(found)
      }
    } catch {
      failed = true
    }
    const pause = failed ? RETRY_AFTER_FAILURE : found === undefined ? RETRY_WHEN_ABSENT : Number.POSITIVE_INFINITY
    held.loading = undefined
    held.failed = failed
    held.retryAt = wallNow() + pause
    if (this.#held.get(name) === held) {
      held.chain = found
      this.#contracts += found?.size ?? 0
      this.#shrink(name)
    } else if (found !== undefined) {
      this.#forget(found)
    }
    if (failed) throw unavailable(held.symbol, session)
    return found
  }

  /** The close as it was recorded. A recording that ended before the close is none, and an archive that fails has none. */
  async #recorded(symbol: Ticker, session: IsoDate): Promise<PricedChain | undefined> {
    const { archive, engine } = this.#options
    try {
      const snapshot = await archive?.closingSnapshot(symbol, session)
      const asOf = snapshot && closingMoment(snapshot.asOf, sessionOf(session)!.close)
      return asOf === undefined ? undefined : await engine.run('restoreChain', { snapshot: { ...snapshot!, asOf } })
    } catch {
      return undefined
    }
  }

  /** Drops the longest idle session of a symbol where it has as many as it may. */
  #makeRoom(symbol: Ticker): void {
    const names = this.#longestIdleFirst().filter((name) => this.#held.get(name)!.symbol === symbol)
    for (const name of names.slice(0, Math.max(0, names.length - MAX_SESSIONS + 1))) this.#drop(name)
  }

  #shrink(newest: string): void {
    if (this.#contracts <= MAX_CONTRACTS) return
    for (const name of this.#longestIdleFirst()) {
      if (this.#contracts <= MAX_CONTRACTS) return
      if (name !== newest) this.#drop(name)
    }
  }

  #longestIdleFirst(): readonly string[] {
    return [...this.#held].sort(([, a], [, b]) => a.turn - b.turn).map(([name]) => name)
  }

  #drop(name: string): void {
    const held = this.#held.get(name)
    if (held === undefined) return
    this.#contracts -= held.chain?.size ?? 0
    replace(held, undefined, this.#forget)
    this.#held.delete(name)
  }
}

const unavailable = (symbol: Ticker, session: IsoDate) =>
  apiError(
    'source_unavailable',
    `the close of ${symbol} on ${session} cannot be loaded: the data source does not answer; try again shortly`
  )
