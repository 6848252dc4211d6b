import { LRUCache } from 'lru-cache'
import { apiError } from '../api/error.ts'
import type { Catalogue } from '../api/inputs/inputs.ts'
import type { MarketSource, MaybePromise } from '../api/source.ts'
import type { Connector, UniverseSymbol } from '../connectors/port/connector.ts'
import { SourceError } from '../connectors/port/source-error.ts'
import type { DailyBar } from '../market/bar.ts'
import type { ChainHeader } from '../market/chain.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import { parentOfRoot } from '../market/security.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { partOf, replace } from '../pricing/root-parts.ts'
import type { Engine } from '../workers/engine.ts'
import { ClosingChains } from './closing-chains.ts'
import { DailyHistories } from './daily-histories.ts'
import { DailyRecords } from './daily-records.ts'
import { type MarketObserver, noObserver, type PastArchive } from './events.ts'
import { type HeldSymbol, newSymbol, pauseAfter, strictestDemand } from './held-symbol.ts'

export interface LiveOptions {
  readonly engine: Engine
  readonly source: Pick<Connector, 'pace' | 'latest' | 'tickers' | 'holdsPast'>
  /** Where earlier sessions are kept, if anywhere. */
  readonly archive?: PastArchive | undefined
  /** Is told whatever the source says. */
  readonly observer?: MarketObserver | undefined
  /** Symbols of which a new chain is wanted in every stretch of so many milliseconds, asked for or not. */
  readonly watch?: { readonly symbols: ReadonlySet<Ticker>; readonly every: number } | undefined
  /** Symbols kept warm, asked for or not. */
  readonly universe: readonly UniverseSymbol[]
  /** The moment the market stands at, and the wall clock that ages are measured on. */
  readonly marketNow: () => Instant
  readonly wallNow: () => Instant
  readonly onLoad?: (event: LoadEvent) => void
  /** A newer chain of a symbol is held from now on. */
  readonly onSwap?: (symbol: Ticker) => void
}

/** One request to the source, for logs and metrics. */
export interface LoadEvent {
  readonly symbol: Ticker
  readonly seconds: number
  readonly chain: PricedChain | undefined
  readonly error: Error | undefined
}

const MINUTE = 60_000

/** Warm symbols noObserver asks for are migrated this often; asked ones as often as the strictest plan wants. */
const WARM_EVERY = 15 * MINUTE
/** A symbol outside the universe that noObserver asks for is dropped after this long. */
const IDLE_AFTER = 15 * MINUTE
/** How long a symbol the source does not know stays unknown. */
const UNKNOWN_FOR = 5 * MINUTE
const MAX_SYMBOLS = 2000
const MAX_LOADING = 4

/**
 * The latest chain of every symbol somebody cares about. An unknown symbol is loaded when it is first asked for, one
 * request however many callers wait; the universe is kept warm; what noObserver asks for is dropped. A source that fails
 * leaves the last good chain in place and is left alone for a while.
 */
export class LiveMarket implements MarketSource {
  readonly #options: LiveOptions
  readonly #held = new Map<Ticker, HeldSymbol>()
  readonly #universe = new Map<Ticker, UniverseSymbol>()
  readonly #unknown = new LRUCache<Ticker, Instant>({ max: 10_000 })
  readonly #asked = new Set<Ticker>()
  readonly #closings: ClosingChains
  readonly #histories: DailyHistories
  readonly #records: DailyRecords
  readonly #forget: (chain: PricedChain) => void
  readonly #observer: MarketObserver
  #timer: NodeJS.Timeout | undefined
  /** What the source can describe at a moment of the market: asked once where that moment stands still. */
  #latest: Instant = Number.NEGATIVE_INFINITY
  #latestFor: Instant = Number.NaN
  #loading = 0

  constructor(options: LiveOptions) {
    this.#options = options
    const parts = { ...options, observer: options.observer ?? noObserver, bars: (symbol: Ticker) => this.bars(symbol) }
    this.#observer = parts.observer
    this.#closings = new ClosingChains(parts)
    this.#histories = new DailyHistories(parts)
    this.#records = new DailyRecords(parts)
    this.#forget = (chain) => options.engine.forget(chain)
    // A weekly root is kept warm by its index. The first mention of a symbol decides its tier.
    for (const listed of options.universe) {
      const symbol = parentOfRoot(listed.symbol) ?? listed.symbol
      if (!this.#universe.has(symbol)) this.#universe.set(symbol, listed)
    }
  }

  /** Begins to load the universe and to poll. */
  start(): void {
    const now = this.#options.wallNow()
    for (const symbol of this.#universe.keys()) this.#held.set(symbol, newSymbol(symbol, now))
    this.#timer = setInterval(() => this.poll(), 100)
    this.poll()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  now(): Instant {
    return this.#options.marketNow()
  }

  chain(symbol: Ticker, maxAge: number): MaybePromise<PricedChain | undefined> {
    const parent = parentOfRoot(symbol)
    if (parent === undefined) return this.#chain(symbol, maxAge)
    const whole = this.#chain(parent, maxAge)
    const part = (chain: PricedChain | undefined) =>
      chain && partOf(this.#held.get(parent), chain, symbol, this.#forget)
    this.#asked.add(symbol)
    return whole instanceof Promise ? whole.then(part) : part(whole)
  }

  closing(symbol: Ticker, session: IsoDate): MaybePromise<PricedChain | undefined> {
    return this.#closings.of(symbol, session)
  }

  bars(symbol: Ticker): MaybePromise<readonly DailyBar[]> {
    return this.#histories.of(symbol)
  }

  records(symbol: Ticker, before: IsoDate, count: number): MaybePromise<readonly DailyRecord[]> {
    return this.#records.of(symbol, before, count)
  }

  /**
   * Somebody else wrote daily bars or records of a symbol into the archive: they are read anew when next asked for. Of
   * other bars other records may be made, of other records no other bars.
   */
  invalidateDaily(symbol: Ticker, written: 'bars' | 'records'): void {
    if (written === 'bars') this.#histories.drop(symbol)
    this.#records.drop(symbol)
  }

  /** Whether the source has failed since this chain was observed. */
  isStale(chain: ChainHeader): boolean {
    return (this.#held.get(parentOfRoot(chain.symbol) ?? chain.symbol)?.faults ?? 0) > 0
  }

  catalogue(): Catalogue {
    const loaded = (symbol: Ticker) => this.#held.get(parentOfRoot(symbol) ?? symbol)?.chain !== undefined
    const asked = [...this.#asked].filter(loaded).sort()
    const observed = asked.map((symbol) => this.#held.get(parentOfRoot(symbol) ?? symbol)!.observedAt)
    return {
      tickers: this.#options.source.tickers,
      asked,
      lastUpdated: observed.length === 0 ? undefined : Math.max(...observed),
      universe: this.#options.universe.map(({ symbol, tier }) => ({ symbol, tier, warm: loaded(symbol) }))
    }
  }

  /** The chains held now, for metrics. */
  *loaded(): Generator<{ readonly chain: PricedChain; readonly observedAt: Instant }> {
    for (const { chain, observedAt } of this.#held.values()) if (chain !== undefined) yield { chain, observedAt }
  }

  /** Renews what is due, most overdue first, and drops what is idle. Called by a timer; public for tests. */
  poll(): void {
    const now = this.#options.wallNow()
    this.#closings.dropIdle(now)
    this.#histories.dropIdle(now)
    this.#records.dropIdle(now)
    const due: { readonly held: HeldSymbol; readonly first: number; readonly overdue: number }[] = []
    for (const held of this.#held.values()) {
      if (this.#dropIdle(held, now)) continue
      if (held.loading !== undefined || now < held.retryAt) continue
      const every = Math.max(this.#options.source.pace, strictestDemand(held, now) ?? WARM_EVERY)
      const age = now - held.observedAt
      if ((age < every && !this.#isWatchDue(held, now)) || !this.#hasNewer(held)) continue
      // What was never loaded goes before what is only late, by tier.
      const first = held.chain === undefined ? 1 / (this.#universe.get(held.symbol)?.tier ?? 1) : 0
      due.push({ held, first, overdue: held.chain === undefined ? 0 : age / every })
    }
    due.sort((a, b) => b.first - a.first || b.overdue - a.overdue)
    for (const { held } of due.slice(0, Math.max(0, MAX_LOADING - this.#loading))) this.#load(held).catch(() => {})
  }

  #chain(symbol: Ticker, maxAge: number): MaybePromise<PricedChain | undefined> {
    const now = this.#options.wallNow()
    let held = this.#held.get(symbol)
    if (held?.chain === undefined && now < (this.#unknown.get(symbol) ?? 0)) return undefined
    if (held === undefined) {
      if (this.#held.size >= MAX_SYMBOLS) this.#dropLongestIdle()
      this.#held.set(symbol, (held = newSymbol(symbol, now)))
    }
    held.askedAt = now
    held.wanted.set(maxAge, now)
    this.#asked.add(symbol)
    if (held.chain !== undefined && this.#isFresh(held, maxAge, now)) return held.chain
    if (held.loading === undefined && now < held.retryAt) {
      if (held.chain !== undefined) return held.chain
      throw apiError(
        'source_unavailable',
        `${symbol} cannot be loaded: the data source does not answer; try again shortly`
      )
    }
    return this.#reload(held)
  }

  /** Waits for the one reload. The last good chain serves where it fails. */
  async #reload(held: HeldSymbol): Promise<PricedChain | undefined> {
    try {
      return await (held.loading ?? this.#load(held))
    } catch (error) {
      if (held.chain !== undefined) return held.chain
      if (!(error instanceof SourceError)) throw error
      throw apiError('source_unavailable', `${held.symbol} cannot be loaded: ${error.message}; try again shortly`)
    }
  }

  #load(held: HeldSymbol): Promise<PricedChain | undefined> {
    const { engine, wallNow, marketNow, onLoad } = this.#options
    const startedAt = wallNow()
    const moment = marketNow()
    this.#loading++
    const finish = (chain: PricedChain | undefined, error: Error | undefined) => {
      this.#loading--
      held.loading = undefined
      onLoad?.({ symbol: held.symbol, seconds: (wallNow() - startedAt) / 1000, chain, error })
    }
    held.loading = engine.load(held.symbol, moment).then(
      (chain) => {
        finish(chain, undefined)
        held.faults = 0
        held.retryAt = Number.NEGATIVE_INFINITY
        if (chain === undefined) this.#forgetUnknown(held, startedAt)
        else this.#swap(held, chain, startedAt, moment)
        return held.chain
      },
      (error: Error) => {
        finish(undefined, error)
        held.faults++
        held.retryAt = wallNow() + pauseAfter(held.faults, error instanceof SourceError ? error.retryAfter : undefined)
        throw error
      }
    )
    return held.loading
  }

  /** Puts a new chain in the place of the old one, in one step. */
  #swap(held: HeldSymbol, chain: PricedChain, observedAt: Instant, askedFor: Instant): void {
    replace(held, chain, this.#forget)
    this.#observer.chain(chain)
    held.observedAt = observedAt
    held.askedFor = askedFor
    this.#options.onSwap?.(held.symbol)
  }

  /** A symbol the source does not know is remembered as such for a while; one of the universe is asked about again. */
  #forgetUnknown(held: HeldSymbol, now: Instant): void {
    if (held.chain !== undefined) {
      // It was known before: that the source has lost it is a fault of the source.
      held.faults = 1
      held.retryAt = now + UNKNOWN_FOR
      return
    }
    this.#unknown.set(held.symbol, now + UNKNOWN_FOR)
    this.#asked.delete(held.symbol)
    if (this.#universe.has(held.symbol)) held.retryAt = now + UNKNOWN_FOR
    else this.#held.delete(held.symbol)
  }

  /** Whether a watched symbol has not been observed in this stretch of time. */
  #isWatchDue({ symbol, observedAt }: HeldSymbol, now: Instant): boolean {
    const { watch, source } = this.#options
    if (watch === undefined || !watch.symbols.has(symbol) || now - observedAt < source.pace) return false
    return Math.floor(now / watch.every) !== Math.floor(observedAt / watch.every)
  }

  #isFresh(held: HeldSymbol, maxAge: number, now: Instant): boolean {
    return now - held.observedAt < Math.max(maxAge, this.#options.source.pace) || !this.#hasNewer(held)
  }

  /** Whether the source can have anything newer than what is held: after the close it cannot. */
  #hasNewer(held: HeldSymbol): boolean {
    if (held.chain === undefined) return true
    const now = this.now()
    if (now !== this.#latestFor) {
      this.#latest = this.#options.source.latest(now)
      this.#latestFor = now
    }
    return now < held.askedFor || this.#latest > held.chain.asOf
  }

  /** Drops a symbol noObserver asked for lately. Returns whether it is gone. */
  #dropIdle(held: HeldSymbol, now: Instant): boolean {
    if (this.#universe.has(held.symbol) || held.loading !== undefined || now - held.askedAt <= IDLE_AFTER) return false
    this.#drop(held)
    return true
  }

  #dropLongestIdle(): void {
    let idlest: HeldSymbol | undefined
    for (const held of this.#held.values()) {
      const candidate = held.loading === undefined && !this.#universe.has(held.symbol)
      if (candidate && (idlest === undefined || held.askedAt < idlest.askedAt)) idlest = held
    }
    if (idlest === undefined) throw apiError('overloaded', 'too many symbols are held; try again shortly')
    this.#drop(idlest)
  }

  #drop(held: HeldSymbol): void {
    for (const part of held.parts.keys()) this.#asked.delete(part)
    replace(held, undefined, this.#forget)
    this.#closings.drop(held.symbol)
    this.#histories.drop(held.symbol)
    this.#records.drop(held.symbol)
    this.#held.delete(held.symbol)
    this.#asked.delete(held.symbol)
  }
}
