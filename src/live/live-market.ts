import type { Catalogue } from '../api/inputs/catalogue.ts'
import { macroOf } from '../api/inputs/macro.ts'
import { loadMarket } from '../api/inputs/market-reader.ts'
import type {
  Asker,
  ChainProvenance,
  EarlierRequest,
  EarningsCalendar,
  MarketSource,
  WindowsFound
} from '../api/market-source.ts'
import { andThen, type MaybePromise } from '../api/maybe-promise.ts'
import { FigureReader } from '../archive/figure-reader.ts'
import { PastPressureReader } from '../archive/past-pressure.ts'
import type { Connector, UniverseSymbol } from '../connectors/port/connector.ts'
import { sourceOf } from '../connectors/port/source-provenance.ts'
import { type After, afterTimeout, endsWithin } from '../facts/bounded-wait.ts'
import { FIRST_LOAD_WAIT, INDEX_SERVES, POLL_EVERY, SAMPLED_CHAIN_AGE } from '../facts/freshness.ts'
import { QUALITY_FLOOR } from '../facts/quality-floor.ts'
import { isFolded } from '../flow/folds.ts'
import type {
  NewestSample,
  PastViewName,
  PastViewRequest,
  Positions,
  ViewName,
  ViewRequest,
  Views
} from '../flow/tape-views.ts'
import type { SymbolBandErrors } from '../market/band-pool.ts'
import type { DailyBar } from '../market/bar.ts'
import type { ChainHeader } from '../market/chain.ts'
import type { SessionCustomers } from '../market/customer-sums.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import type { EarningsEvent, SymbolEarnings } from '../market/earnings.ts'
import { easternDate } from '../market/eastern.ts'
import type { FigureColumns, FigureRequest } from '../market/figure-row.ts'
import type { PastPressure } from '../market/hedge-pressure.ts'
import { isRateSeries, publishedBars } from '../market/macro-series.ts'
import type { MinutePrices, MinutePricesRequest } from '../market/minute-prices.ts'
import type { TapeKind } from '../market/print.ts'
import { parentOfRoot } from '../market/security.ts'
import type { StrikeColumn, StrikeRequest } from '../market/strike-sums.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { RateOrigin } from '../pricing/assumptions.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { ChainAssessment } from '../quality/chain-assessment.ts'
import type { Screened } from '../screener/screener-row.ts'
import type { Tapes } from '../tape/tape-port.ts'
import type { Engine } from '../workers/engine.ts'
import { Assessments } from './chains/assessments.ts'
import type { StandingDoubt } from './chains/doubts.ts'
import { LiveChains } from './chains/live-chains.ts'
import type { PolledSymbols } from './chains/polling.ts'
import { isPricedOtherwise, type PricedWith } from './chains/pricing-knowledge.ts'
import { Closings } from './days/closings.ts'
import { DailyBars } from './days/daily-bars.ts'
import { BandErrorLists } from './days/live-band-errors.ts'
import { CustomerLists } from './days/live-customers.ts'
import { KnownDividends } from './days/live-dividends.ts'
import { ImpliedRates } from './days/live-rates.ts'
import { DailyRecords } from './days/live-records.ts'
import { FlowSampler } from './flow-sampler.ts'
import type { LoadedChain } from './held-catalogue.ts'
import { LiveFlow, type LiveFlowOptions, type PastTapes } from './live-flow.ts'
import {
  MarketEventBus,
  type PastArchive,
  type PastChains,
  type PastMinutes,
  type PastStrikes
} from './market-events.ts'
import { type CalendarState, KnownEarnings } from './reports/live-earnings.ts'
import { loadRowInputs } from './row-inputs.ts'
import { ScreenerRows, StoredRecords } from './screener-rows.ts'

export interface LiveOptions {
  readonly engine: Engine
  readonly source: Pick<
    Connector,
    | 'name'
    | 'suppliers'
    | 'synthetic'
    | 'pace'
    | 'delay'
    | 'onDemand'
    | 'latest'
    | 'tickers'
    | 'listsAll'
    | 'holdsPast'
    | 'provides'
    | 'followed'
  >
  readonly archive?: PastArchive | undefined
  readonly events?: MarketEventBus
  readonly watch?: PolledSymbols | undefined
  /** Collected option and stock prints; undefined if the service collects none. */
  readonly tapes?: Tapes | undefined
  /** Memory for views of them that were read, bytes; undefined for no limit. */
  readonly maxViewBytes?: number | undefined
  readonly maxClosingContracts?: number | undefined
  readonly pastTapes?: PastTapes | undefined
  readonly standing?: LiveFlowOptions['standing']
  /** Reads figures by strike from recorded snapshots; undefined without an archive. */
  readonly pastStrikes?: PastStrikes | undefined
  /** Reads earlier recorded chains; undefined without an archive. */
  readonly pastChains?: PastChains | undefined
  /** Minute prices of a market that makes its prices up; undefined for every other market. */
  readonly generated?: PastMinutes | undefined
  readonly presets?: (() => Screened['presets']) | undefined
  /** Score below which nothing is concluded from a chain; default: `QUALITY_FLOOR`. */
  readonly qualityFloor?: number | undefined
  /**
   * Index whose options imply the interest rates, or `PAR_YIELDS` for published Treasury yields. Undefined if the
   * operator or the source sets the rates.
   */
  readonly ratesIndex?: Ticker | undefined
  /** Symbols kept loaded even if nobody requests them. */
  readonly universe: readonly UniverseSymbol[]
  /** Symbol that the dashboard shows first. It is loaded before any other. */
  readonly example?: Ticker | undefined
  /** Whether the other symbols of the universe are loaded only once `loadAll` is called, or somebody asks for them. */
  readonly holdsBack?: boolean | undefined
  /** Returns the current market time; `wallNow` returns the time of the wall clock, which is shown. */
  readonly marketNow: () => Instant
  readonly wallNow: () => Instant
  /** Clock of periods, milliseconds: it runs on evenly when the wall clock is set. Default: `wallNow`. */
  readonly steadyNow?: () => number
  /** Timer that limits how long requests wait. Default: the timers of Node. */
  readonly after?: After
}

/** Requests about the whole market read the prints of this many symbols: the first on the operator's list. */
const MAX_SCANNED = 50

/**
 * The current market. Keeps option chains up to date, with other data about their symbols, prints and screener rows. A
 * separate class handles each kind of data. Data that nobody requests is dropped.
 */
export class LiveMarket implements MarketSource {
  readonly #options: LiveOptions
  readonly #events: MarketEventBus
  readonly #chains: LiveChains
  readonly #closings: Closings
  readonly #assessments: Assessments
  readonly #provenance: ChainProvenance
  readonly #bars: DailyBars
  readonly #records: DailyRecords
  readonly #bandErrors: BandErrorLists
  readonly #dividends: KnownDividends
  readonly #earnings: KnownEarnings
  readonly #rates: ImpliedRates
  readonly #flow: LiveFlow
  readonly #sampler: FlowSampler | undefined
  readonly #screener: ScreenerRows
  readonly #figures: FigureReader | undefined
  readonly #customers: CustomerLists
  readonly #pastPressure: PastPressureReader | undefined
  #timer: NodeJS.Timeout | undefined
  readonly #after: After

  constructor(options: LiveOptions) {
    const { universe, events = new MarketEventBus(), after = afterTimeout, steadyNow = options.wallNow } = options
    this.#options = options
    this.#after = after
    this.#events = events
    const parts = { ...options, events, steadyNow }
    this.#dividends = new KnownDividends({ ...parts, after })
    this.#rates = new ImpliedRates({ ...parts, after })
    const dividends = (symbol: Ticker) => this.#dividends.of(symbol)
    const rates = (session: IsoDate) => this.#rates.of(session)
    const isAwaited = (symbol: Ticker, session: IsoDate) =>
      this.#rates.isAwaited(session) || this.#dividends.isAwaited(symbol)
    const knowledge = {
      isAwaited,
      dividends: (symbol: Ticker) => this.#dividends.known(symbol),
      rates: (session: IsoDate) => this.#rates.known(session)
    }
    const isOutdated = (symbol: Ticker, used: PricedWith) => isPricedOtherwise(symbol, used, knowledge)
    this.#closings = new Closings({
      ...parts,
      dividends,
      rates,
      isOutdated,
      current: (symbol) => this.#chains.held(symbol)
    })
    this.#bars = new DailyBars({ ...parts, price: (symbol) => this.#chains.price(symbol) })
    this.#records = new DailyRecords({ ...parts, dividends, bars: (symbol) => this.bars(symbol) })
    this.#bandErrors = new BandErrorLists({ ...parts, steadyNow })
    this.#customers = new CustomerLists({ ...parts, steadyNow })
    this.#earnings = new KnownEarnings({
      ...parts,
      dividends,
      bars: (symbol) => this.bars(symbol),
      current: (symbol) => this.#chains.held(symbol)
    })
    const scanned = [...new Set(universe.map(({ symbol }) => parentOfRoot(symbol) ?? symbol))]
    this.#flow = new LiveFlow({ ...parts, past: options.pastTapes, after, scanned: scanned.slice(0, MAX_SCANNED) })
    const chain = (symbol: Ticker) => this.chain(symbol, SAMPLED_CHAIN_AGE)
    this.#sampler = options.tapes && new FlowSampler({ ...parts, tapes: options.tapes, chain })
    const { tapes, engine } = options
    if (tapes !== undefined) {
      events.on('chainSwapped', (chain) => {
        const release = engine.lend(chain)
        tapes.note(chain).finally(release)
      })
    }
    const onDrop = (symbol: Ticker) => this.#forget(symbol)
    this.#chains = new LiveChains({ ...parts, after, dividends, rates, isOutdated, onDrop })
    const { name, pace } = sourceOf<'name' | 'pace'>(options.source, 'chains')
    this.#provenance = { name, pace }
    this.#assessments = new Assessments({
      ...parts,
      after,
      pace,
      floor: options.qualityFloor ?? QUALITY_FLOOR,
      held: (symbol) => this.#chains.held(symbol),
      closing: (symbol, session) => this.closing(symbol, session, 'comparison')
    })
    this.#screener = this.#makeScreener(steadyNow)
    this.#figures = options.archive && new FigureReader(options.archive)
    this.#pastPressure = options.archive && new PastPressureReader(options.archive)
    events.on('daysWritten', ({ symbol, written }) => {
      if (written === 'tapes') return // data of the live market does not depend on prints of past sessions
      if (written === 'snapshots') {
        this.#closings.drop(symbol)
        this.#rates.renewImplied(symbol)
        return
      }
      if (written === 'earnings') {
        this.#earnings.drop(symbol)
        return
      }
      // Daily records may depend on bars that have changed. Bars never depend on records.
      if (written === 'bars') this.#bars.drop(symbol)
      if (written === 'bars' && isRateSeries(symbol)) this.#rates.renew()
      if (written === 'records') this.#bandErrors.drop()
      this.#records.drop(symbol)
      if (written === 'dividends') this.#dividends.renew(symbol)
    })
  }

  /**
   * Starts to load the symbols of the operator's list and to keep them up to date. Resolves once the engine has begun
   * its first load, or after a short wait.
   */
  async start(): Promise<void> {
    this.#chains.start()
    this.#timer = setInterval(() => this.poll(), POLL_EVERY)
    this.#sampler?.start()
    this.poll()
    const { firstAsked, universe } = this.#chains
    if (universe.size > 0) await endsWithin(firstAsked, FIRST_LOAD_WAIT, this.#after)
  }

  /** Begins to load the symbols that were held back. */
  loadAll(): void {
    this.#chains.loadAll()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#chains.stop()
    this.#sampler?.stop()
  }

  now(): Instant {
    return this.#options.marketNow()
  }

  chain(symbol: Ticker, maxAge: number, asker?: Asker): MaybePromise<PricedChain | undefined> {
    return this.#chains.of(symbol, maxAge, asker)
  }

  /** Returns the whole chain: it is loaded anyway, and cached responses refer to this object. */
  underlying(symbol: Ticker, maxAge: number, asker?: Asker): MaybePromise<ChainHeader | undefined> {
    return this.chain(symbol, maxAge, asker)
  }

  lastKnown(): undefined {
    return undefined
  }

  delayOf({ delay }: ChainHeader): number {
    return delay
  }

  provenanceOf({ source }: ChainHeader): ChainProvenance {
    return source === undefined ? this.#provenance : { ...this.#provenance, name: source }
  }

  quality(symbol: Ticker): MaybePromise<ChainAssessment | undefined> {
    return this.#assessments.of(symbol)
  }

  closing(symbol: Ticker, session: IsoDate, use?: 'comparison'): MaybePromise<PricedChain | undefined> {
    return this.#closings.of(symbol, session, use)
  }

  earlier(request: EarlierRequest): MaybePromise<PricedChain | undefined> {
    return this.#options.pastChains?.earlier(request, this.now())
  }

  bars(symbol: Ticker): MaybePromise<readonly DailyBar[]> {
    return andThen(this.#bars.of(symbol), (bars) => publishedBars(bars, symbol, this.now()))
  }

  records(symbol: Ticker, before: IsoDate, count: number): MaybePromise<readonly DailyRecord[]> {
    return this.#records.of(symbol, before, count)
  }

  bandErrors(before: IsoDate): MaybePromise<readonly SymbolBandErrors[]> {
    return this.#bandErrors.of(before)
  }

  reports(symbol: Ticker): MaybePromise<readonly EarningsEvent[] | undefined> {
    return this.#earnings.events(symbol)
  }

  earnings(symbol: Ticker): MaybePromise<SymbolEarnings | undefined> {
    return this.#earnings.of(symbol)
  }

  earningsCalendar(): MaybePromise<EarningsCalendar | undefined> {
    return this.#earnings.calendar()
  }

  view<Name extends ViewName>(
    request: ViewRequest<Name>,
    maxAge: number,
    mayBePart?: boolean
  ): MaybePromise<Views[Name] | undefined> {
    const { symbol } = request
    const view: ViewName = request.view
    if (isFolded(view) || this.#options.standing !== undefined) return this.#flow.view(request, maxAge, mayBePart)
    // Only symbols that the source lists have samples. An unlisted one must not push a listed one out of the cache, nor
    // start a collection of prints.
    const sampler = this.#chains.isListed(symbol) ? this.#sampler : undefined
    if (sampler === undefined) return undefined
    const tape = this.#flow.view({ symbol, kind: 'option', view: 'positions' }, maxAge)
    const shown = andThen(tape, (found): MaybePromise<Views[typeof view] | undefined> => found && sampler[view](found))
    return shown as MaybePromise<Views[Name] | undefined>
  }

  pastViews<Name extends PastViewName>(
    request: PastViewRequest<Name>,
    from: Instant
  ): MaybePromise<readonly Views[Name][]> {
    return this.#flow.pastViews(request, from)
  }

  windowTotals(kind: TapeKind, from: Instant, maxAge: number): MaybePromise<WindowsFound | undefined> {
    return this.#flow.windowTotals(kind, from, maxAge)
  }

  newestSamples(): MaybePromise<readonly NewestSample[]> {
    const { source, standing } = this.#options
    if (standing !== undefined) return standing().newestSamples()
    this.#flow.scannedTapes()
    return this.#sampler?.newest(source.synthetic ? 'synthetic' : 'recorded') ?? []
  }

  /** Always false: a symbol without a chain is unknown to the source, so it has no prints either. */
  isTaped(): boolean {
    return false
  }

  customers(symbol: Ticker): MaybePromise<readonly SessionCustomers[]> {
    return this.#customers.of(symbol)
  }

  pastPressure(symbol: Ticker): MaybePromise<readonly PastPressure[]> {
    return this.#pastPressure?.of(parentOfRoot(symbol) ?? symbol, this.now()) ?? []
  }

  figures(request: FigureRequest): MaybePromise<FigureColumns | undefined> {
    return this.#figures?.read(request)
  }

  strikes(request: StrikeRequest): MaybePromise<readonly StrikeColumn[] | undefined> {
    return this.#options.pastStrikes?.columns(request, this.now())
  }

  minutePrices(request: MinutePricesRequest): MaybePromise<readonly MinutePrices[]> {
    return this.#options.generated?.known(request, this.now()) ?? []
  }

  clock(step: number): Instant {
    return step * Math.floor(this.now() / step)
  }

  isStale(chain: ChainHeader): boolean {
    return this.#chains.isStale(chain)
  }

  /**
   * Whether a moment of a symbol was known before the start and the source has not confirmed it since: the last
   * recorded chain is served meanwhile. It is no news, so no alert fires on it.
   */
  isRestored(symbol: Ticker, asOf: Instant): boolean {
    return this.#chains.isRestored(symbol, asOf)
  }

  catalogue(): Catalogue {
    return this.#chains.catalogue()
  }

  screened(withChains: boolean): MaybePromise<Screened> {
    return this.#screener.screened(withChains)
  }

  ratesFrom(): RateOrigin {
    return this.#rates.origin(easternDate(this.#options.marketNow()))
  }

  /** Chains, closes and bars of the source that checks do not trust at the moment; the longest doubt comes first. */
  get doubts(): readonly StandingDoubt[] {
    const all = [...this.#chains.doubts, ...this.#closings.doubts.list(), ...this.#bars.doubts.list()]
    return all.sort((a, b) => a.since - b.since)
  }

  /**
   * Accepts what is doubted of a symbol, for the rest of the day. Returns the longest doubt, or undefined if there was
   * none.
   */
  accept(root: Ticker): StandingDoubt | undefined {
    const symbol = parentOfRoot(root) ?? root
    const [longest] = this.doubts.filter((doubt) => doubt.symbol === symbol)
    this.#chains.accept(symbol)
    this.#closings.accept(symbol)
    this.#bars.accept(symbol)
    return longest
  }

  /**
   * How far this machine's clock is behind, milliseconds; the true lag may be larger. Set if every response of the
   * source has a time in the future.
   */
  get clockBehindBy(): number | undefined {
    return this.#chains.clockBehindBy
  }

  get earningsState(): CalendarState {
    return this.#earnings.calendarState
  }

  loaded(): Iterable<LoadedChain> {
    return this.#chains.loaded()
  }

  /** The loaded chain of a symbol that the source gave, and when it was requested; undefined if there is none. */
  observed(symbol: Ticker): { readonly chain: PricedChain; readonly observedAt: Instant } | undefined {
    const chain = this.#chains.held(symbol)
    const observedAt = this.#chains.observedAt(symbol)
    return chain === undefined || observedAt === undefined ? undefined : { chain, observedAt }
  }

  poll(): void {
    for (const part of [
      this.#closings,
      this.#bars,
      this.#records,
      this.#bandErrors,
      this.#customers,
      this.#dividends,
      this.#earnings,
      this.#rates
    ])
      part.dropIdle()
    this.#chains.poll()
  }

  #makeScreener(steadyNow: () => number): ScreenerRows {
    const { archive, presets = () => ({}) } = this.#options
    const parts = { ...this.#options, steadyNow, after: this.#after, events: this.#events }
    const stored = new StoredRecords(archive, this.#events)
    const known = {
      ...parts,
      bars: (symbol: Ticker) => this.bars(symbol),
      records: (symbol: Ticker, before: IsoDate, count: number) => {
        const held = this.#records.held(symbol, before)
        return held.length >= count
          ? held
          : stored.of(symbol, before, count).then((all) => (all.length > held.length ? all : held))
      },
      reports: (symbol: Ticker) => this.reports(symbol),
      macro: async () => (await loadMarket(this, (market) => macroOf(market, INDEX_SERVES, undefined))).found,
      samples: (tape: Positions) => this.#sampler?.samples(tape)
    }
    return new ScreenerRows({
      ...parts,
      presets,
      universe: this.#chains.universe,
      symbols: () => [...this.loaded()].map(({ chain }) => chain.symbol),
      chain: (symbol) => this.#chains.held(symbol),
      inputsOf: (chain) => loadRowInputs(chain, known)
    })
  }

  #forget(symbol: Ticker): void {
    this.#closings.drop(symbol)
    this.#bars.drop(symbol)
    this.#records.drop(symbol)
    this.#dividends.drop(symbol)
    this.#earnings.forget(symbol)
  }
}
