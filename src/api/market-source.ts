import type {
  FlowPart,
  NewestSample,
  PastViewName,
  PastViewRequest,
  ViewName,
  ViewRequest,
  Views,
  WindowTotals
} from '../flow/tape-views.ts'
import type { SymbolBandErrors } from '../market/band-pool.ts'
import type { DailyBar } from '../market/bar.ts'
import type { ChainHeader } from '../market/chain.ts'
import type { SessionCustomers } from '../market/customer-sums.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import type { EarningsEvent, SymbolEarnings } from '../market/earnings.ts'
import type { FigureColumns, FigureRequest } from '../market/figure-row.ts'
import type { PastPressure } from '../market/hedge-pressure.ts'
import type { MinutePrices, MinutePricesRequest } from '../market/minute-prices.ts'
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
   * Option chain of a symbol. Its size is 0 if no options are listed. Undefined for an unknown symbol. `maxAge` is the
   * age in milliseconds that the caller's plan allows; data may be newer. Fails with source_unavailable if the source
   * does not respond and no chain is loaded, and with too_many_requests if `asker` may load no further symbol. Without
   * `asker` the service itself makes the request.
   */
  chain(symbol: Ticker, maxAge: number, asker?: Asker): MaybePromise<PricedChain | undefined>
  /**
   * Quote of a symbol's underlying without the options, so that a past chain need not be priced for it. Takes the same
   * arguments as `chain` and fails in the same cases.
   */
  underlying(symbol: Ticker, maxAge: number, asker?: Asker): MaybePromise<ChainHeader | undefined>
  /**
   * Last known price of a symbol before a past moment that was not recorded: from the newest earlier snapshot of the
   * day, else from the newest daily close. Undefined if there is neither, and always on the live market.
   */
  lastKnown(symbol: Ticker): MaybePromise<ChainHeader | undefined>
  /**
   * Assessment of the data quality of a symbol's current chain. Returns the same object until the chain changes.
   * Undefined if no chain is loaded or it lists no options.
   */
  quality(symbol: Ticker): MaybePromise<ChainAssessment | undefined>
  /**
   * Option chain of a symbol at the close of a past session. Undefined if it is not available or the session is not
   * over. Fails with source_unavailable if the source does not respond. To be compared with the current chain, it is
   * undefined too if the share was split since: strikes, contracts and prices of before are of another scale.
   */
  closing(symbol: Ticker, session: IsoDate, use?: 'comparison'): MaybePromise<PricedChain | undefined>
  /** An earlier chain from the archive. Undefined if there is no such snapshot or no archive. */
  earlier(request: EarlierRequest): MaybePromise<PricedChain | undefined>
  /**
   * Daily bars of completed sessions, ascending, at most `MAX_BARS`. Returns the same list object until a newer bar
   * arrives. For a macro series, such as the ten-year yield, the bars hold its published values. Empty if the source
   * has none.
   */
  bars(symbol: Ticker): MaybePromise<readonly DailyBar[]>
  /**
   * The newest `count` daily records before a date, ascending, at most `MAX_RECORDS`. Returns the same list object
   * until a newer record arrives. Empty if there are none.
   */
  records(symbol: Ticker, before: IsoDate, count: number): MaybePromise<readonly DailyRecord[]>
  /**
   * Errors of the bands of all recorded symbols, from the daily records of some months before a date, ascending by date.
   * Returns the same list object until it changes. Empty without an archive.
   */
  bandErrors(before: IsoDate): MaybePromise<readonly SymbolBandErrors[]>
  /**
   * Earnings reports of a company as known now, ascending. Undefined if no calendar knows the company. Fails with
   * source_unavailable if the source does not respond and no calendar is loaded.
   */
  reports(symbol: Ticker): MaybePromise<readonly EarningsEvent[] | undefined>
  /**
   * Earnings reports of a company, with daily records of the closes around past reports. Returns the same object until
   * something changes.
   */
  earnings(symbol: Ticker): MaybePromise<SymbolEarnings | undefined>
  /** Coming earnings reports of all companies. Undefined if there is no calendar, and always at a past moment. */
  earningsCalendar(): MaybePromise<EarningsCalendar | undefined>
  /**
   * One view of a symbol's prints, such as its minute bars, in the current session or else the last one. Returns the
   * same object until the view changes. `maxAge` is the age in milliseconds that the caller's plan allows. Undefined if
   * no prints are collected for the symbol. While the session is being read, fails with data_loading, or with `mayBePart`
   * returns a view of its newest part.
   */
  view<Name extends ViewName>(
    request: ViewRequest<Name>,
    maxAge: number,
    mayBePart?: boolean
  ): MaybePromise<Views[Name] | undefined>
  /** Views of the prints of earlier sessions, ascending, from the session that contains `from` to that of `to`. */
  pastViews<Name extends PastViewName>(
    request: PastViewRequest<Name>,
    from: Instant
  ): MaybePromise<readonly Views[Name][]>
  /**
   * Whether the service collects prints of the symbol in the current session, even if it knows nothing else about it.
   */
  isTaped(symbol: Ticker): MaybePromise<boolean>
  /**
   * Sums over the prints of each symbol since the minute `from`. Returns the same object until it is older than
   * `maxAge` milliseconds. Undefined if no prints are collected.
   */
  windowTotals(kind: TapeKind, from: Instant, maxAge: number): MaybePromise<WindowsFound | undefined>
  /** The newest 0DTE sample of every symbol whose options expire in the current session. */
  newestSamples(): MaybePromise<readonly NewestSample[]>
  /**
   * Sums of the newest sessions that tell on which side a symbol's customers stand, as far as the open interest that followed
   * is published, ascending.
   * Returns the same list object until it changes. Empty without an archive.
   */
  customers(symbol: Ticker): MaybePromise<readonly SessionCustomers[]>
  /**
   * Hedging pressure of the newest recorded sessions before the current one, ascending, at its time of day. Returns the same
   * list object within a half minute. Empty without an archive.
   */
  pastPressure(symbol: Ticker): MaybePromise<readonly PastPressure[]>
  /**
   * Recorded figures over time. Returns the same object until they change. Undefined if the service keeps no history.
   */
  figures(request: FigureRequest): MaybePromise<FigureColumns | undefined>
  /**
   * Net figure of each strike at every recorded snapshot of a session, ascending by time. Undefined if the service
   * keeps no history.
   */
  strikes(request: StrikeRequest): MaybePromise<readonly StrikeColumn[] | undefined>
  /**
   * Rows of the screener, one per symbol. `withChains` adds the option chains, for screens that test single contracts.
   */
  screened(withChains: boolean): MaybePromise<Screened>
  /**
   * Minute prices of every session from that of `from` to that of `to`, ascending, of a market that makes its prices up:
   * complete minutes only. Returns the same list object until a minute is added. Empty for every other market.
   */
  minutePrices(request: MinutePricesRequest): MaybePromise<readonly MinutePrices[]>
  /** Current time of the market, rounded down to a multiple of `step` milliseconds. */
  clock(step: number): Instant
}

/**
 * Request for one recorded snapshot. With `first_from` it is the first snapshot at or after `at` on the same New York
 * day, with `newest_by` the last one at or before `at`.
 */
export interface EarlierRequest {
  readonly symbol: Ticker
  readonly at: Instant
  readonly which: 'first_from' | 'newest_by'
}

export interface ChainProvenance {
  /**
   * Name of the connector, such as `cboe`. For a past moment it says how the snapshot came into the archive, such as
   * `imported`.
   */
  readonly name: string
  /** Shortest time between two chains of one symbol from this source, milliseconds. */
  readonly pace: number
}

/** Coming earnings reports in any order, and past reports of the same companies as far as they are loaded. */
export interface EarningsCalendar {
  readonly reports: readonly UpcomingReport[]
  /**
   * Past reports and daily bars by symbol. A symbol whose history is not loaded is missing; it is loaded for later
   * requests.
   */
  readonly histories: ReadonlyMap<Ticker, ReportHistory>
}

export interface UpcomingReport {
  readonly symbol: Ticker
  readonly event: EarningsEvent
  /**
   * The move that options implied for the report when it was last recorded, percent of spot. Undefined if none was
   * recorded.
   */
  readonly storedMove: number | undefined
}

/** A company's earnings reports and its daily bars, both ascending. */
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
  /** The part of the followed symbols whose session has been read, if some are still being read and left out. */
  readonly part?: FlowPart | undefined
}

/**
 * All market data that endpoints may read, as known at one moment. The live market and the replayed past both implement
 * it. An endpoint therefore cannot tell them apart, and sees neither a clock nor the future.
 */
export interface MarketSource extends MarketData {
  now(): Instant
  catalogue(): Catalogue
  /** Delay of the data source behind the chain, seconds; 0 at a past moment. */
  delayOf(chain: ChainHeader): number
  provenanceOf(chain: ChainHeader): ChainProvenance
  /** Whether this chain is older than the delay and refresh interval of its source allow. */
  isStale(chain: ChainHeader): boolean
}

export interface Asker {
  /** Whether the request has no API key. Such a request may only load symbols that the source lists. */
  readonly keyless: boolean
  readonly client?: string | undefined
}

/** Context of a request for data: the market, the maximum age of the data in milliseconds, and the caller. */
export interface DataRequest extends Asker {
  readonly source: MarketSource
  readonly maxAge: number
  /** Time until which the caller waits; undefined if no caller waits. */
  readonly deadline?: Deadline | undefined
  /** Whether the answer may be made from the newest part of a session that is still being read, and says so. */
  readonly mayBePart?: boolean | undefined
}
