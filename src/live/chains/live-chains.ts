import { LRUCache } from 'lru-cache'
import { apiError } from '../../api/error.ts'
import type { Catalogue } from '../../api/inputs/catalogue.ts'
import type { Asker } from '../../api/market-source.ts'
import { andThen, type MaybePromise } from '../../api/maybe-promise.ts'
import type { Connector, UniverseSymbol } from '../../connectors/port/connector.ts'
import { SourceError } from '../../connectors/port/source-error.ts'
import { endsWithin } from '../../facts/bounded-wait.ts'
import {
  DEMAND_EVERY,
  FIRST_CHAIN_WAIT,
  OVERDUE_CHAIN_SERVES,
  REPRICED_WITHIN,
  STALE_INTERVALS,
  STALE_MARGIN,
  UNKNOWN_SYMBOL_FOR,
  WARM_EVERY
} from '../../facts/freshness.ts'
import type { ChainHeader } from '../../market/chain.ts'
import { cappedDelay, overdueBy } from '../../market/data-age.ts'
import { parentOfRoot } from '../../market/security.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { entriesUpTo } from '../../memory/entries-up-to.ts'
import { HeldChain } from '../../pricing/held-chain.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { Engine } from '../../workers/engine.ts'
import { Cell } from '../cell.ts'
import { Cells } from '../cells.ts'
import { catalogueOf, heldUniverse, type LoadedChain } from '../held-catalogue.ts'
import { ChainLoader, type ChainLoaderOptions } from './chain-loader.ts'
import { firstChain, newerChain, unavailable } from './chain-waits.ts'
import type { StandingDoubt } from './doubts.ts'
import { LastRecorded, type LastRecordedOptions } from './last-recorded.ts'
import { type LiveSymbol, pauseAfter } from './live-symbol.ts'
import { LoadBudget } from './load-budget.ts'
import { LoadOutcomes } from './load-outcomes.ts'
import { dueSymbols, everyOf, isLate, type PolledSymbols, type PollingRules } from './polling.ts'
import type { PricedWith } from './pricing-knowledge.ts'

export interface LiveChainsOptions
  extends Omit<ChainLoaderOptions, 'outcomes' | 'lastRecorded' | 'onAsked' | 'onPause' | 'onUnknown'>,
    LastRecordedOptions {
  readonly engine: Engine
  readonly source: Pick<
    Connector,
    'synthetic' | 'pace' | 'delay' | 'onDemand' | 'latest' | 'tickers' | 'listsAll' | 'followed'
  >
  /** Symbols kept loaded even if nobody requests them. */
  readonly universe: readonly UniverseSymbol[]
  readonly watch?: PolledSymbols | undefined
  /** Symbol shown on the first page, loaded before any other. */
  readonly example?: Ticker | undefined
  /** Whether the universe is loaded only once `loadAll` is called; until then the example and what is asked for are. */
  readonly holdsBack?: boolean | undefined
  readonly onDrop: (symbol: Ticker) => void
  /** Whether a chain was priced with other rates or dividends than are known now. */
  readonly isOutdated: (symbol: Ticker, used: PricedWith) => boolean
  /** Clock of periods, milliseconds. */
  readonly steadyNow: () => number
}

const MAX_UNKNOWN = 10_000
const MAX_SYMBOLS = 2000
const MAX_LOADING = 4

/**
 * The latest chain of every requested symbol. A new symbol is loaded on its first request, once for all callers; the
 * universe is kept loaded; unused symbols are dropped. If the source fails, hangs or sends a rejected chain, the last
 * good chain stays and the source is left alone for a while.
 */
export class LiveChains {
  /** The symbols to keep loaded, in the operator's order; a weekly root is represented by its index. */
  readonly universe: ReadonlyMap<Ticker, UniverseSymbol>
  readonly #options: LiveChainsOptions
  readonly #symbols: Cells<Ticker, LiveSymbol>
  readonly #unknown = new LRUCache<Ticker, Instant>(entriesUpTo(MAX_UNKNOWN))
  readonly #asked = new Set<Ticker>()
  /** The newest moment that the source can describe; computed once for each market time. */
  #latest: Instant = Number.NEGATIVE_INFINITY
  #latestFor: Instant = Number.NaN
  readonly #budget: LoadBudget
  readonly #outcomes: LoadOutcomes
  readonly #loader: ChainLoader
  readonly #lastRecorded: LastRecorded
  /** Number of running loads that polling started. */
  #polling = 0
  #isStarted = false
  /** Symbols of which a newer chain arrived while they were being loaded. */
  readonly #arrivedMeanwhile = new Set<Ticker>()
  #demandToldAt = Number.NEGATIVE_INFINITY
  #onlyAsked: boolean
  #isAsked!: () => void

  /** Resolves once the engine has been asked for the first chain. */
  readonly firstAsked = new Promise<void>((resolve) => (this.#isAsked = resolve))

  constructor(options: LiveChainsOptions) {
    const { source, wallNow, steadyNow, after, holdsBack = false } = options
    this.#options = options
    this.#onlyAsked = holdsBack
    this.#budget = new LoadBudget({ rate: source.onDemand, steadyNow, after })
    this.#outcomes = new LoadOutcomes(options.events, wallNow, () => this.#symbols.size)
    this.#lastRecorded = new LastRecorded(options)
    this.#loader = new ChainLoader({
      ...options,
      outcomes: this.#outcomes,
      lastRecorded: this.#lastRecorded,
      onAsked: () => this.#isAsked(),
      onPause: (milliseconds) => this.#budget.pause(milliseconds),
      onUnknown: (live, askedAt, wasRecorded) => this.#noteUnknown(live, askedAt, wasRecorded)
    })
    const universe = heldUniverse(options.universe)
    this.universe = universe
    this.#symbols = new Cells({
      make: (symbol: Ticker) => this.#make(symbol),
      onDrop: (live) => this.#forget(live),
      isPinned: ({ symbol }) => universe.has(symbol),
      steadyNow
    })
    source.followed?.onNewer((symbol) => this.#arrived(symbol))
  }

  start(): void {
    this.#isStarted = true
    for (const symbol of this.universe.keys()) this.#symbols.get(symbol)
  }

  /** From now on the whole universe is loaded. */
  loadAll(): void {
    this.#onlyAsked = false
  }

  /** Stops loading in advance; from now on only polled and requested symbols are loaded. */
  stop(): void {
    this.#isStarted = false
  }

  of(symbol: Ticker, maxAge: number, asker?: Asker): MaybePromise<PricedChain | undefined> {
    const parent = parentOfRoot(symbol)
    if (parent === undefined) return this.#chain(symbol, maxAge, asker)
    const all = this.#chain(parent, maxAge, asker)
    if (all === undefined) return undefined
    this.#asked.add(symbol)
    return andThen(all, (chain) => chain && this.#partOf(parent, chain, symbol))
  }

  /** The loaded chain of a symbol; for a weekly root, its part of the index's chain. */
  held(symbol: Ticker): PricedChain | undefined {
    const parent = parentOfRoot(symbol)
    const held = this.#symbols.peek(parent ?? symbol)?.held
    return parent === undefined || held?.chain === undefined ? held?.chain : held.partOf(held.chain, symbol)
  }

  /** When the loaded chain of a symbol was requested from the source; undefined if none is loaded. */
  observedAt(symbol: Ticker): Instant | undefined {
    const live = this.#symbols.peek(symbol)
    return live?.held.chain === undefined || live.isRestored ? undefined : live.observedAt
  }

  /** Price of a symbol by its current chain, or by its first one if that is being loaded; undefined if there is none. */
  price(symbol: Ticker): MaybePromise<number | undefined> {
    const live = this.#symbols.peek(symbol)
    const chain = live?.held.chain
    if (live === undefined || chain !== undefined || !live.cell.isLoading) return chain?.spot
    return endsWithin(live.cell.load(), FIRST_CHAIN_WAIT, this.#options.after).then(() => live.held.chain?.spot)
  }

  /** Whether a symbol is loaded, or the source is known to list it. */
  isListed(symbol: Ticker): boolean {
    const parent = parentOfRoot(symbol) ?? symbol
    const { tickers } = this.#options.source
    return this.held(parent) !== undefined || this.universe.has(parent) || tickers.includes(parent)
  }

  /** Minimum lag of this machine's clock, milliseconds; set if every payload comes from the future. */
  get clockBehindBy(): number | undefined {
    return this.#outcomes.clock.behindBy
  }

  /** Doubts that stand against chains of the source, the longest first. */
  get doubts(): readonly StandingDoubt[] {
    return this.#outcomes.doubts.list()
  }

  /**
   * Waives the doubt about a symbol for the rest of the day and loads it anew. Returns the doubt; undefined if there is
   * none.
   */
  accept(symbol: Ticker): StandingDoubt | undefined {
    const parent = parentOfRoot(symbol) ?? symbol
    const doubt = this.#outcomes.doubts.waive(parent, this.#options.marketNow())
    if (doubt !== undefined)
      this.#symbols
        .get(parent)
        .cell.load()
        .catch(() => {})
    return doubt
  }

  /**
   * Whether a chain is older than its source promises: by its moment, the delay of the source and the time in which it is
   * renewed. Neither a failure nor a recent load says anything about that.
   */
  isStale(chain: ChainHeader): boolean {
    const { source, marketNow, wallNow } = this.#options
    const live = this.#symbols.peek(parentOfRoot(chain.symbol) ?? chain.symbol)
    const every = live === undefined ? WARM_EVERY : everyOf(live, source, wallNow())
    const lag = source.delay ?? 1000 * cappedDelay(chain)
    const renewal = Math.max(STALE_MARGIN, STALE_INTERVALS * source.pace + every)
    const now = marketNow()
    return overdueBy(chain, lag + renewal, now) > 0 && chain.asOf < this.#newestAt(now)
  }

  /** Whether a moment of a symbol was known before the start and the source has not confirmed it since. */
  isRestored(symbol: Ticker, asOf: Instant): boolean {
    const live = this.#symbols.peek(parentOfRoot(symbol) ?? symbol)
    return live?.restoredAt !== undefined && asOf <= live.restoredAt
  }

  catalogue(): Catalogue {
    const { source, universe, wallNow } = this.#options
    return catalogueOf({
      tickers: source.tickers,
      universe,
      asked: this.#asked,
      held: [...this.loaded()],
      isStale: (chain) => this.isStale(chain),
      now: wallNow()
    })
  }

  *loaded(): Generator<LoadedChain> {
    for (const live of this.#symbols.values()) {
      const { held, observedAt } = live
      if (held.chain === undefined) continue
      yield { chain: held.chain, observedAt, late: this.#isLate(live), isRestored: live.isRestored }
    }
  }

  /** Loads what is due, most overdue first, and drops unused symbols. Called by a timer; public for tests. */
  poll(): void {
    this.#outcomes.clock.check()
    this.#symbols.dropIdle()
    this.#tellDemand()
    this.#loadDue(() => true)
  }

  /** Tells collectors once a second how fresh each held symbol is wanted here. */
  #tellDemand(): void {
    const { source, steadyNow, wallNow } = this.#options
    if (source.followed === undefined || steadyNow() - this.#demandToldAt < DEMAND_EVERY) return
    this.#demandToldAt = steadyNow()
    const held = [...this.#symbols.values()].filter(({ held }) => held.chain !== undefined)
    source.followed.want(held.map((live) => [live.symbol, everyOf(live, source, wallNow())]))
  }

  /** Loads a held symbol again, since a collector has a newer chain; without a symbol, all of them. */
  #arrived(symbol?: Ticker): void {
    if (symbol === undefined) {
      for (const live of this.#symbols.values()) this.#arrived(live.symbol)
      return
    }
    const live = this.#symbols.peek(symbol)
    if (live === undefined) return
    if (live.cell.isLoading) {
      if (this.#arrivedMeanwhile.has(symbol)) return
      this.#arrivedMeanwhile.add(symbol)
    } else if (live.held.chain === undefined) return // nobody waits for it: its next load finds it
    const again = () => {
      if (this.#arrivedMeanwhile.delete(symbol)) this.#arrived(symbol)
    }
    live.cell.load().then(again, again)
  }

  #loadDue(fits: (live: LiveSymbol) => boolean): void {
    if (this.#budget.isPaused) return
    const due = dueSymbols(this.#symbols.values(), this.#rules, this.#options.wallNow()).filter(fits)
    for (const { cell } of due.slice(0, Math.max(0, MAX_LOADING - this.#polling))) {
      this.#polling++
      const loading = cell.load().finally(() => this.#polling--)
      loading.then(
        () => this.#loadNextFirst(),
        () => {}
      )
    }
  }

  /**
   * If the source sets no limit, starts the next symbol that was never loaded at once: the timer would start only four
   * of them in a tenth of a second. Requests still get their turn in between.
   */
  #loadNextFirst(): void {
    if (this.#options.source.onDemand !== undefined) return
    setImmediate(() => {
      if (this.#isStarted) this.#loadDue(({ held }) => held.chain === undefined)
    })
  }

  get #rules(): PollingRules {
    const { source, watch, example } = this.#options
    return {
      source,
      watch,
      example,
      onlyAsked: this.#onlyAsked,
      universe: this.universe,
      hasNewer: (live) => this.#hasNewer(live),
      isOutdated: (live) => this.#isOutdated(live)
    }
  }

  #isLate(live: LiveSymbol): boolean {
    return isLate(live, this.#rules, this.#options.wallNow())
  }

  #chain(symbol: Ticker, maxAge: number, asker: Asker | undefined): MaybePromise<PricedChain | undefined> {
    const { wallNow, after } = this.#options
    const now = wallNow()
    const known = this.#symbols.peek(symbol)
    if (known?.held.chain === undefined) {
      if (Math.abs(now - (this.#unknown.get(symbol) ?? Infinity)) < UNKNOWN_SYMBOL_FOR) return undefined
      const isUnderWay = known !== undefined && (known.cell.isLoading || !known.cell.isDue)
      if (!isUnderWay && !this.universe.has(symbol) && !this.#mayLoad(symbol, asker)) return undefined
    }
    if (known === undefined && this.#symbols.size >= MAX_SYMBOLS && !this.#symbols.dropLongestIdle()) {
      throw apiError('overloaded', 'too many symbols are held; try again shortly')
    }
    const live = this.#symbols.get(symbol)
    const { cell, held } = live
    const wantedAt = live.wanted.get(maxAge) ?? Number.NEGATIVE_INFINITY
    live.wanted.set(maxAge, now)
    this.#asked.add(symbol)
    if (held.chain !== undefined && this.#isFresh(live, maxAge, now)) return held.chain
    if (held.chain === undefined && (cell.isLoading || cell.isDue)) {
      const isListed = this.#options.source.listsAll ? this.isListed(symbol) : undefined
      return firstChain(live, { lastRecorded: this.#lastRecorded, after, isListed })
    }
    const { followed } = this.#options.source
    if (held.chain !== undefined && followed !== undefined) {
      if (now - wantedAt >= DEMAND_EVERY) followed.want([[symbol, maxAge]])
      return held.chain
    }
    if (held.chain !== undefined) {
      const isLoadable = cell.isLoading || (cell.isDue && !this.#budget.isPaused)
      return isLoadable ? newerChain(held.chain, live, { wallNow, after }) : held.chain
    }
    this.#budget.refusePaused()
    throw unavailable(symbol, 'the data source does not respond')
  }

  /** Whether a request may load a symbol outside the universe. Throws if its client has loaded too many. */
  #mayLoad(symbol: Ticker, asker: Asker | undefined): boolean {
    if (asker === undefined) return true
    if (asker.keyless) return this.#options.source.tickers.includes(symbol)
    if (asker.client !== undefined) this.#budget.takeFor(asker.client)
    return true
  }

  #partOf(parent: Ticker, chain: PricedChain, root: Ticker): PricedChain | undefined {
    const held = this.#symbols.peek(parent)?.held ?? this.#holder()
    return held.partOf(chain, root)
  }

  #holder(): HeldChain {
    return new HeldChain((chain) => this.#options.engine.retire(chain))
  }

  #make(symbol: Ticker): LiveSymbol {
    const live: LiveSymbol = {
      symbol,
      held: this.#holder(),
      cell: new Cell({
        load: async () => {
          const value = await this.#load(live)
          return { value, goodFor: live.held.chain === undefined ? UNKNOWN_SYMBOL_FOR : 0 }
        },
        pauseAfter: (failures, error) =>
          error instanceof LostSymbol ? UNKNOWN_SYMBOL_FOR : pauseAfter(failures, error, this.#options.source.pace),
        steadyNow: this.#options.steadyNow
      }),
      observedAt: Number.NEGATIVE_INFINITY,
      askedFor: Number.NEGATIVE_INFINITY,
      pricedWith: undefined,
      loadingSince: Number.NEGATIVE_INFINITY,
      restoredAt: undefined,
      isRestored: false,
      isFailing: false,
      wanted: new Map()
    }
    return live
  }

  /** Loads the chain of a symbol. If that fails and there is none yet, the last recorded one becomes current. */
  async #load(live: LiveSymbol): Promise<PricedChain | undefined> {
    const { held, symbol } = live
    try {
      if (held.chain !== undefined) return await this.#loader.load(live)
      const maxAge = everyOf(live, this.#options.source, this.#options.wallNow())
      if (!this.universe.has(symbol)) return await this.#budget.run(() => this.#loader.load(live, maxAge))
      this.#budget.refusePaused()
      return await this.#loader.load(live, maxAge)
    } catch (error) {
      await this.#lastRecorded.hold(live)
      throw error
    }
  }

  /** Remembers for a while that the source does not know a symbol; a symbol of the universe is requested again. */
  #noteUnknown({ symbol, held }: LiveSymbol, now: Instant, wasRecorded: boolean): void {
    // The symbol was known before, so this is a failure of the source.
    if (held.chain !== undefined || wasRecorded) throw new LostSymbol(symbol)
    this.#unknown.set(symbol, now)
    this.#asked.delete(symbol)
    if (!this.universe.has(symbol)) this.#symbols.drop(symbol)
  }

  #isFresh(live: LiveSymbol, maxAge: number, now: Instant): boolean {
    const most = Math.max(maxAge, this.#options.source.pace) + (this.#isStarted ? OVERDUE_CHAIN_SERVES : 0)
    const age = now - live.observedAt // below zero if the clock was set back
    const isRecent = age >= 0 && age < most && !(age >= REPRICED_WITHIN && this.#isOutdated(live))
    return isRecent || !this.#hasNewer(live)
  }

  /**
   * Whether loading can improve the chain: the source can have a newer one (after the close it cannot), the chain is
   * only the last recorded one, a doubt stands that it may end, or the loaded chain was priced with other rates or
   * dividends than are known now.
   */
  #hasNewer(live: LiveSymbol): boolean {
    const { symbol, held, askedFor, isRestored } = live
    if (held.chain === undefined || isRestored || this.#outcomes.doubts.of(symbol) !== undefined) return true
    if (this.#isOutdated(live)) return true
    const now = this.#options.marketNow()
    // A chain loaded under a slow clock seems to lie in the future; that is no reason to wait until then.
    return now < askedFor || this.#newestAt(now) > held.chain.asOf || held.chain.asOf > now
  }

  /** Whether the loaded chain was priced with other rates or dividends than are known now. */
  #isOutdated({ symbol, pricedWith }: LiveSymbol): boolean {
    return pricedWith !== undefined && this.#options.isOutdated(symbol, pricedWith)
  }

  /** The newest moment that the source can describe at a market time. */
  #newestAt(now: Instant): Instant {
    if (now !== this.#latestFor) {
      this.#latest = this.#options.source.latest(now)
      this.#latestFor = now
    }
    return this.#latest
  }

  #forget({ symbol, held }: LiveSymbol): void {
    for (const root of held.roots) this.#asked.delete(root)
    held.replace(undefined)
    this.#outcomes.doubts.forget(symbol)
    this.#asked.delete(symbol)
    this.#options.onDrop(symbol)
  }
}

/** The source no longer knows a symbol that it knew before. */
class LostSymbol extends SourceError {
  constructor(symbol: Ticker) {
    super('refused', `the data source knows ${symbol} no more`)
  }
}
