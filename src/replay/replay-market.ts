import type { Deadline } from '../api/deadline.ts'
import { apiError } from '../api/error.ts'
import type { Catalogue } from '../api/inputs/catalogue.ts'
import type {
  ChainProvenance,
  EarlierRequest,
  EarningsCalendar,
  MarketSource,
  WindowsFound
} from '../api/market-source.ts'
import type { MaybePromise } from '../api/maybe-promise.ts'
import { isCurrentSnapshot } from '../archive/closing.ts'
import type { StoredSnapshot } from '../archive/history-store.ts'
import { isFolded } from '../flow/folds.ts'
import type { NewestSample, PastViewName, PastViewRequest, ViewName, ViewRequest, Views } from '../flow/tape-views.ts'
import type { SymbolBandErrors } from '../market/band-pool.ts'
import type { DailyBar } from '../market/bar.ts'
import { session } from '../market/calendar.ts'
import { buildChain, type ChainHeader } from '../market/chain.ts'
import type { SessionCustomers } from '../market/customer-sums.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import type { EarningsEvent, SymbolEarnings } from '../market/earnings.ts'
import { easternDate, easternDateTime } from '../market/eastern.ts'
import type { FigureColumns, FigureRequest } from '../market/figure-row.ts'
import type { PastPressure } from '../market/hedge-pressure.ts'
import { publishedBars } from '../market/macro-series.ts'
import { memoizeBy } from '../market/memoize.ts'
import type { MinutePrices, MinutePricesRequest } from '../market/minute-prices.ts'
import type { TapeKind } from '../market/print.ts'
import { parentOfRoot, securityKind } from '../market/security.ts'
import type { StrikeColumn, StrikeRequest } from '../market/strike-sums.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../market/units.ts'
import { defaultAssumptions } from '../pricing/assumptions.ts'
import { type PricedChain, priceChain } from '../pricing/price-chain.ts'
import type { ChainAssessment } from '../quality/chain-assessment.ts'
import type { Screened } from '../screener/screener-row.ts'
import type { ArchiveReader } from './archive-reader.ts'
import { ChainReferences } from './restored-chains.ts'

/**
 * Daily values of an index count as published a quarter of an hour after the close. At earlier moments the previous
 * day's value is used.
 */
const PUBLICATION = 15 * MILLISECONDS_PER_MINUTE
const publishedAt = (date: IsoDate) => (session(date)?.close ?? Number.POSITIVE_INFINITY) + PUBLICATION

/** Closing level of an index from a daily bar, as a chain without contracts. */
const levelChain = memoizeBy(({ date, close }: DailyBar, symbol: Ticker): PricedChain => {
  const asOf = publishedAt(date)
  const quote = { bid: undefined, ask: undefined, last: close, time: asOf }
  return priceChain(buildChain({ symbol, asOf, delay: 0, spot: close, quote }, []), defaultAssumptions)
})

/** Time between two snapshots that quality checks expect in an archive, milliseconds. */
const PACE = MILLISECONDS_PER_MINUTE

function withoutTape(what: string, whyNotInferred?: string) {
  const message = `no ${what} were recorded in the session of this moment`
  const reason = whyNotInferred === undefined ? '' : `, and none can be inferred: ${whyNotInferred}`
  return apiError('no_data', message + reason)
}

/** Reason why nothing is inferred for figures over all symbols. */
const ofAllSymbols =
  'over all symbols, every snapshot of each of them would have to be read; the flow of one symbol is inferred where it has snapshots'

/** Empty lists of symbols. Such lists describe the present service, so responses about the past have none. */
const none: Catalogue = { tickers: [], asked: [], lastUpdated: undefined, held: [], universe: [] }

/**
 * The market as it was known at one moment. Everything in it was known by then: snapshots at their own time, daily bars
 * at the close of their session, daily records on the next day. It has no method to read anything later, so no endpoint
 * can look ahead. Its chains may be used until `end` is called.
 */
export class ReplayMarket implements MarketSource {
  readonly #archive: ArchiveReader
  readonly #at: Instant
  readonly #date: IsoDate
  /** Symbols that the request is about. If the newest snapshot of such a symbol is too old, it counts as missing. */
  readonly #subjects: ReadonlySet<Ticker>
  readonly #references: ChainReferences
  readonly #snapshots = new Map<Ticker, Promise<StoredSnapshot | undefined>>()
  readonly #views = new Map<string, Promise<Views[ViewName] | undefined>>()

  /** `deadline` is the deadline of the request. After it, no chain is restored. */
  constructor(archive: ArchiveReader, at: Instant, subjects: readonly Ticker[], deadline?: Deadline) {
    this.#archive = archive
    this.#at = at
    this.#date = easternDate(at)
    this.#subjects = new Set(subjects)
    this.#references = new ChainReferences(deadline)
  }

  /** Call after the response is complete. The chains may not be used afterwards. */
  readonly end = (): void => this.#references.release()

  now(): Instant {
    return this.#at
  }

  chain(symbol: Ticker): Promise<PricedChain | undefined> {
    return this.#known(symbol, (snapshot) => this.#archive.chain(snapshot, symbol, this.#references))
  }

  underlying(symbol: Ticker): Promise<ChainHeader | undefined> {
    return this.#known<ChainHeader>(symbol, (snapshot) =>
      this.#archive.underlying(snapshot, symbol, this.#references.deadline)
    )
  }

  /** Reads the snapshot of a symbol; for an index without snapshots returns its published level. */
  async #known<Found>(
    symbol: Ticker,
    of: (snapshot: StoredSnapshot) => Promise<Found | undefined>
  ): Promise<Found | PricedChain | undefined> {
    const snapshot = await this.snapshot(symbol)
    if (this.#subjects.has(symbol) && (snapshot === undefined || !isCurrentSnapshot(snapshot.asOf, this.#at)))
      return undefined
    return snapshot === undefined ? this.#publishedLevel(symbol) : of(snapshot)
  }

  /**
   * Newest published close of an index, used if the archive has only its daily bars. Undefined for all other symbols.
   */
  async #publishedLevel(symbol: Ticker): Promise<PricedChain | undefined> {
    if (securityKind(symbol) !== 'index') return undefined
    const bars = await this.bars(symbol)
    const bar = bars.findLast(({ date }) => publishedAt(date) <= this.#at)
    return bar && levelChain(bar, symbol)
  }

  /** Newest snapshot of the day, however old, or else the newest daily close. */
  async lastKnown(symbol: Ticker): Promise<ChainHeader | undefined> {
    const snapshot = await this.snapshot(symbol)
    if (snapshot !== undefined) return this.#archive.underlying(snapshot, symbol, this.#references.deadline)
    const bar = (await this.bars(symbol)).at(-1)
    return bar && levelChain(bar, symbol)
  }

  /** A stored snapshot is visible from its own time, without delay. */
  delayOf(): number {
    return 0
  }

  provenanceOf(chain: ChainHeader): ChainProvenance {
    return { name: this.#archive.fidelityOf(chain), pace: PACE }
  }

  async quality(symbol: Ticker): Promise<ChainAssessment | undefined> {
    const chain = await this.chain(symbol)
    if (chain === undefined || chain.size === 0) return undefined
    const deductions = await this.#archive.deducted(chain)
    const { qualityFloor: floor } = this.#archive
    return { symbol, asOf: chain.asOf, delay: this.delayOf(), pace: PACE, floor, ...deductions }
  }

  /**
   * Closing chain of a session; undefined if the session had not ended by the moment, or was not recorded to its end, or
   * cannot be compared although it is asked for that.
   */
  async closing(symbol: Ticker, date: IsoDate, use?: 'comparison'): Promise<PricedChain | undefined> {
    const close = session(date)?.close
    if (close === undefined || close > this.#at) return undefined
    const parent = parentOfRoot(symbol) ?? symbol
    if (use === 'comparison' && (await this.#archive.isSplit(parent, date, this.#at))) return undefined
    const snapshot = await (date === this.#date ? this.snapshot(parent) : this.#archive.closingSnapshot(parent, date))
    return snapshot && this.#archive.closing(snapshot, symbol, date, this.#references)
  }

  earlier(request: EarlierRequest): Promise<PricedChain | undefined> {
    return this.#archive.earlier(request, this.#at, this.#references)
  }

  /** For a macro series, returns only the values that were published by the moment. */
  async bars(symbol: Ticker): Promise<readonly DailyBar[]> {
    return publishedBars(await this.#archive.bars(parentOfRoot(symbol) ?? symbol, this.#at), symbol, this.#at)
  }

  records(symbol: Ticker, before: IsoDate, count: number): Promise<readonly DailyRecord[]> {
    const last = before < this.#date ? before : this.#date
    return this.#archive.records(parentOfRoot(symbol) ?? symbol, last, count)
  }

  bandErrors(before: IsoDate): Promise<readonly SymbolBandErrors[]> {
    return this.#archive.bandErrors(before < this.#date ? before : this.#date)
  }

  /** Earnings dates as known at the moment, even if they were moved later. */
  reports(symbol: Ticker): Promise<readonly EarningsEvent[] | undefined> {
    return this.#archive.earnings(parentOfRoot(symbol) ?? symbol, this.#at)
  }

  /**
   * Earnings reports of a company as known at the moment. Their price records are left empty, because no response about
   * the past uses them.
   */
  async earnings(symbol: Ticker): Promise<SymbolEarnings | undefined> {
    const events = await this.reports(symbol)
    return events && { symbol: parentOfRoot(symbol) ?? symbol, events, records: new Map(), storedMove: undefined }
  }

  earningsCalendar(): EarningsCalendar | undefined {
    return undefined
  }

  /**
   * A view of recorded or inferred prints. Without any, positions are undefined: they are those of official open
   * interest. Every other view fails with the reason.
   */
  async view<Name extends ViewName>(request: ViewRequest<Name>): Promise<Views[Name] | undefined> {
    const { kind, view: name } = request
    const symbol = parentOfRoot(request.symbol) ?? request.symbol
    const view = await this.#view({ ...request, symbol })
    if (view !== undefined || name === 'positions') return view
    if (kind === 'stock') throw withoutTape(`prints of ${symbol}`)
    if (!isFolded(name)) {
      throw withoutTape(
        `half-minute samples of the flow of ${symbol}`,
        'a sample needs a chain for each half minute, and snapshots are further apart'
      )
    }
    throw withoutTape(`prints of options on ${symbol}`, await this.#archive.tapes.reasonWithout(symbol, this.#at))
  }

  /** Starts to compute a view that the response will need. Errors are reported when the view is requested. */
  makeAhead(request: ViewRequest): void {
    this.view(request).catch(() => {})
  }

  #view<Name extends ViewName>(request: ViewRequest<Name>): Promise<Views[Name] | undefined> {
    const { symbol, kind, view } = request
    const name = `${symbol} ${kind} ${view}`
    let made = this.#views.get(name)
    if (made === undefined) this.#views.set(name, (made = this.#viewAnew(request)))
    return made as Promise<Views[Name] | undefined>
  }

  #viewAnew(request: ViewRequest): Promise<Views[ViewName] | undefined> {
    const { tapes, samples } = this.#archive
    const { symbol, view } = request
    return isFolded(view)
      ? tapes.view({ ...request, view }, this.#at, this.#references.deadline)
      : samples[view](symbol, this.#at)
  }

  pastViews<Name extends PastViewName>(request: PastViewRequest<Name>, from: Instant): Promise<readonly Views[Name][]> {
    const symbol = parentOfRoot(request.symbol) ?? request.symbol
    return this.#archive.tapes.pastViews({ ...request, symbol }, from, this.#at, this.#references.deadline)
  }

  isTaped(symbol: Ticker): Promise<boolean> {
    return this.#archive.tapes.isTaped(parentOfRoot(symbol) ?? symbol, this.#at)
  }

  async windowTotals(kind: TapeKind, from: Instant): Promise<WindowsFound> {
    const found = await this.#archive.tapes.windowTotals(kind, from, this.#at, this.#references.deadline)
    if (found === undefined) throw withoutTape(`${kind} prints`, ofAllSymbols)
    return found
  }

  async newestSamples(): Promise<readonly NewestSample[]> {
    const found = await this.#archive.samples.newest(this.#at)
    if (found === undefined) throw withoutTape('prints of options', ofAllSymbols)
    return found
  }

  customers(symbol: Ticker): Promise<readonly SessionCustomers[]> {
    return this.#archive.customers(parentOfRoot(symbol) ?? symbol, this.#at)
  }

  pastPressure(symbol: Ticker): Promise<readonly PastPressure[]> {
    return this.#archive.pastPressure.of(parentOfRoot(symbol) ?? symbol, this.#at)
  }

  figures(request: FigureRequest): Promise<FigureColumns> {
    return this.#archive.figures.read(request)
  }

  strikes(request: StrikeRequest): Promise<readonly StrikeColumn[]> {
    return this.#archive.strikes.columns(request, this.#at)
  }

  minutePrices(request: MinutePricesRequest): MaybePromise<readonly MinutePrices[]> {
    return this.#archive.generated?.known(request, this.#at) ?? []
  }

  clock(step: number): Instant {
    return step * Math.floor(this.#at / step)
  }

  catalogue(): Catalogue {
    return none
  }

  /** The screener works only for the present. */
  screened(): Screened {
    return { now: this.#at, rows: [], missing: [], presets: {} }
  }

  isStale(): boolean {
    return false
  }

  /** Newest snapshot of a symbol at the moment. A weekly root uses the snapshot of its index. */
  snapshot(symbol: Ticker): Promise<StoredSnapshot | undefined> {
    const parent = parentOfRoot(symbol) ?? symbol
    let snapshot = this.#snapshots.get(parent)
    if (snapshot === undefined) this.#snapshots.set(parent, (snapshot = this.#archive.snapshot(parent, this.#at)))
    return snapshot
  }

  /** Newest snapshot of a symbol at the moment. If there is none, throws an ApiError that tells why. */
  async resolved(symbol: Ticker): Promise<StoredSnapshot> {
    const snapshot = await this.snapshot(symbol)
    if (snapshot !== undefined && isCurrentSnapshot(snapshot.asOf, this.#at)) return snapshot
    if (snapshot === undefined && !(await this.#archive.knows(parentOfRoot(symbol) ?? symbol))) {
      throw apiError('symbol_not_found', `nothing was ever recorded of ${symbol}`)
    }
    const moment = easternDateTime(this.#at)
    const found = snapshot && `the newest snapshot before it is of ${easternDateTime(snapshot.asOf).slice(11, 19)}`
    throw apiError('no_data', `${symbol} was not recorded at ${moment}: ${found ?? 'the day has no snapshot by then'}`)
  }
}
