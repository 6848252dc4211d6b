import type { NewestSample, PastViewName, ViewName, ViewRequest, Views, WindowTotals } from '../flow/tape-views.ts'
import type { DailyBar } from '../market/bar.ts'
import type { ChainHeader } from '../market/chain.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import type { EarningsEvent, SymbolEarnings } from '../market/earnings.ts'
import type { FigureColumns, FigureRequest } from '../market/figure-row.ts'
import type { TapeKind, TapeSource } from '../market/print.ts'
import type { StrikeColumn, StrikeRequest } from '../market/strike-sums.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { ChainAssessment } from '../quality/chain-assessment.ts'
import type { Screened } from '../screener/screener-row.ts'
import type { Deadline } from './deadline.ts'
import type { Catalogue } from './inputs/catalogue.ts'
import type { MaybePromise } from './maybe-promise.ts'

/** Data of a market as known at one moment: returned at once, or as a promise while it loads. */
export interface MarketData {
  /**
   * Chain of a symbol; its size is 0 if no options are listed, and it is undefined for an unknown symbol. `maxAge` is
   * the age in milliseconds that the caller's plan allows; data may be newer. Fails with source_unavailable if the
   * source does not respond and no chain is loaded, and with too_many_requests if `asker` may load no further symbol.
   * Without `asker` the service itself makes the request.
   */
  chain(symbol: Ticker, maxAge: number, asker?: Asker): MaybePromise<PricedChain | undefined>
  /** Underlying of a symbol without its options, which need not be priced at a past moment. Otherwise like `chain`. */
  underlying(symbol: Ticker, maxAge: number, asker?: Asker): MaybePromise<ChainHeader | undefined>
  /**
   * Last known level of a symbol at a past moment that was not recorded. Undefined if there is none, and always on the
   * live market.
   */
  lastKnown(symbol: Ticker): MaybePromise<ChainHeader | undefined>
  /**
   * Quality of the current chain: the same object until it changes. Undefined if no chain is loaded or it lists no
   * options.
   */
  quality(symbol: Ticker): MaybePromise<ChainAssessment | undefined>
  /**
   * Chain of a symbol at the close of a past session. Undefined if it is not available or the session is not over.
   * Fails with source_unavailable like `chain`.
   */
  closing(symbol: Ticker, session: IsoDate): MaybePromise<PricedChain | undefined>
  /** An earlier recorded chain. Undefined if there is no such snapshot or no history. */
  earlier(request: EarlierRequest): MaybePromise<PricedChain | undefined>
  /**
   * Daily bars of completed sessions, ascending, at most `MAX_BARS`; the same list object until a newer bar arrives.
   * For a macro series (`market/macro-series.ts`) its published values. Empty if the source has none.
   */
  bars(symbol: Ticker): MaybePromise<readonly DailyBar[]>
  /**
   * Newest `count` daily records before a date, ascending, at most `MAX_RECORDS`; the same list object until a newer
   * record arrives. Empty if the source has none.
   */
  records(symbol: Ticker, before: IsoDate, count: number): MaybePromise<readonly DailyRecord[]>
  /**
   * Earnings reports of a company as known now, ascending. Undefined if no calendar knows the company. Fails with
   * source_unavailable if the source does not respond and no calendar is loaded.
   */
  reports(symbol: Ticker): MaybePromise<readonly EarningsEvent[] | undefined>
  /**
   * Earnings reports of a company with the records of the closes around past ones: the same object until something
   * changes.
   */
  earnings(symbol: Ticker): MaybePromise<SymbolEarnings | undefined>
  /** Coming earnings reports of all companies. Undefined without a calendar and at a past moment. */
  earningsCalendar(): MaybePromise<EarningsCalendar | undefined>
  /**
   * View of a tape in its current session, or in the last one: the same object until it changes. `maxAge` as for
   * `chain`. Undefined without a tape.
   */
  view<Name extends ViewName>(request: ViewRequest<Name>, maxAge: number): MaybePromise<Views[Name] | undefined>
  /** Views of earlier taped sessions from the one that contains `from`, ascending. */
  pastViews<Name extends PastViewName>(request: ViewRequest<Name>, from: Instant): MaybePromise<readonly Views[Name][]>
  /** Whether the symbol has a tape in the current session, even if nothing else is known about it. */
  isTaped(symbol: Ticker): MaybePromise<boolean>
  /**
   * Sums of every tape since the minute `from`, by symbol: the same object until it is older than `maxAge`. Undefined
   * without tapes.
   */
  windowTotals(kind: TapeKind, from: Instant, maxAge: number): MaybePromise<WindowsFound | undefined>
  /** Newest 0DTE sample of every symbol with options that expire on the day of the session. */
  newestSamples(): MaybePromise<readonly NewestSample[]>
  /** Recorded figures over time: the same object until they change. Undefined without history. */
  figures(request: FigureRequest): MaybePromise<FigureColumns | undefined>
  /** Net figure by strike at each recorded snapshot of a session, ascending. Undefined without history. */
  strikes(request: StrikeRequest): MaybePromise<readonly StrikeColumn[] | undefined>
  /** Screener rows, with their chains if a screen reads contracts. */
  screened(withChains: boolean): MaybePromise<Screened>
  /** Current time of the market, rounded down to a multiple of `step` milliseconds. */
  clock(step: number): Instant
}

/** Request for a recorded snapshot: the first of a New York day from `at` on, or the newest of the day by `at`. */
export interface EarlierRequest {
  readonly symbol: Ticker
  readonly at: Instant
  readonly which: 'first_from' | 'newest_by'
}

export interface ChainProvenance {
  /** Name of the connector; for a past moment, how the snapshot came into the archive. */
  readonly name: string
  /** Shortest time between two chains of a symbol, milliseconds. */
  readonly pace: number
}

/** Coming earnings reports in any order, with the available history of their companies. */
export interface EarningsCalendar {
  readonly reports: readonly UpcomingReport[]
  /** History by symbol; missing ones are loaded for later requests. */
  readonly histories: ReadonlyMap<Ticker, ReportHistory>
}

export interface UpcomingReport {
  readonly symbol: Ticker
  readonly event: EarningsEvent
  /** Newest stored move that options implied for the report, percent of spot; undefined if there is none. */
  readonly storedMove: number | undefined
}

/** Earnings reports of a company and its daily bars, ascending. */
export interface ReportHistory {
  readonly earnings: SymbolEarnings
  readonly bars: readonly DailyBar[]
}

export interface WindowsFound {
  /** Market time when the sums were computed. */
  readonly at: Instant
  readonly source: TapeSource
  readonly silent: boolean
  readonly totals: readonly WindowTotals[]
}

/**
 * The only access of endpoints to market data, as known at one moment. Live and replayed markets implement it, so an
 * endpoint cannot tell them apart, and sees neither a clock nor the future.
 */
export interface MarketSource extends MarketData {
  now(): Instant
  catalogue(): Catalogue
  /** Delay of the chain's source, seconds; 0 in the past. */
  delayOf(chain: ChainHeader): number
  provenanceOf(chain: ChainHeader): ChainProvenance
  /** Whether this chain is older than its source promises. */
  isStale(chain: ChainHeader): boolean
}

export interface Asker {
  /** Whether the request has no key; then only symbols listed by the source are loaded. */
  readonly keyless: boolean
  readonly client?: string | undefined
}

/** Market, allowed age of data (milliseconds) and caller of a request. */
export interface DataRequest extends Asker {
  readonly source: MarketSource
  readonly maxAge: number
  /** Until when the caller waits; undefined if nobody does. */
  readonly deadline?: Deadline | undefined
}
