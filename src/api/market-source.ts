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
import type { Catalogue } from './inputs/catalogue.ts'
import type { MaybePromise } from './maybe-promise.ts'

/** What can be read of a market, as known at its moment: at once, or awaited while it is loaded. */
export interface MarketData {
  /**
   * The chain of a symbol, its size 0 where no options are listed. Undefined: nothing is known of the symbol. `maxAge` is
   * how old the caller's plan lets data be, milliseconds; a source may give newer. Throws, or rejects with,
   * source_unavailable where the source does not answer and nothing is held, and too_many_requests where it would have to
   * be asked for more new symbols than `asker` may have. Without an asker it is the service itself that asks.
   */
  chain(symbol: Ticker, maxAge: number, asker?: Asker): MaybePromise<PricedChain | undefined>
  /**
   * What is known of a symbol beside its options, for an answer that does without them: of a past moment they need not be
   * priced then. In all else as `chain`.
   */
  underlying(symbol: Ticker, maxAge: number, asker?: Asker): MaybePromise<ChainHeader | undefined>
  /**
   * What was last known of a symbol by a past moment that its recording does not cover: its level, without options.
   * Undefined: nothing was; and always where the market is the present one, which covers what it knows.
   */
  lastKnown(symbol: Ticker): MaybePromise<ChainHeader | undefined>
  /** Seconds that the source of a chain runs behind the market; 0 in the past, where every moment is described by itself. */
  delayOf(chain: ChainHeader): number
  /** Where a chain comes from. */
  provenanceOf(chain: ChainHeader): ChainProvenance
  /**
   * What is known of the quality of the chain that is held of a symbol: the same object until something else is known.
   * Undefined: none is held, or it lists nothing.
   */
  quality(symbol: Ticker): MaybePromise<ChainAssessment | undefined>
  /**
   * A symbol's chain at the close of a past session. Undefined: it is not held, or that session is not over. Like `chain`
   * it fails with source_unavailable where the source does not answer.
   */
  closing(symbol: Ticker, session: IsoDate): MaybePromise<PricedChain | undefined>
  /** A symbol's chain as it was recorded earlier. Undefined: no such snapshot, or no history is kept. */
  earlier(request: EarlierRequest): MaybePromise<PricedChain | undefined>
  /**
   * Daily bars of a symbol's completed sessions, ascending: at most `MAX_BARS` of them, the same list object until there
   * is a newer bar. Of a series of the wider market (`market/macro-series.ts`) the values that were published. Empty
   * where the source has none.
   */
  bars(symbol: Ticker): MaybePromise<readonly DailyBar[]>
  /**
   * Daily records of a symbol dated strictly before a date, ascending: the newest `count` of them, `MAX_RECORDS` at most,
   * the same list object until there is a newer one. Empty where the source has none.
   */
  records(symbol: Ticker, before: IsoDate, count: number): MaybePromise<readonly DailyRecord[]>
  /**
   * The reports of a company, ascending, as known now. Undefined: no calendar says anything of it. Throws, or rejects
   * with, source_unavailable where the source does not answer and nothing is held.
   */
  reports(symbol: Ticker): MaybePromise<readonly EarningsEvent[] | undefined>
  /** The same and the records of the closes around past ones: one object for as long as nothing has changed. */
  earnings(symbol: Ticker): MaybePromise<SymbolEarnings | undefined>
  /** The reports to come of all companies, likewise. Undefined: no calendar is loaded, and on a past moment. */
  earningsCalendar(): MaybePromise<EarningsCalendar | undefined>
  /**
   * What a tape shows in its present session, the last one once it is over: the same object for as long as nothing has
   * changed. `maxAge` as for chains. Undefined: there is no tape of the symbol.
   */
  view<Name extends ViewName>(request: ViewRequest<Name>, maxAge: number): MaybePromise<Views[Name] | undefined>
  /** The same of the sessions before it, ascending, from the one that holds a moment on: those of which there is a tape. */
  pastViews<Name extends PastViewName>(request: ViewRequest<Name>, from: Instant): MaybePromise<readonly Views[Name][]>
  /** Whether there is a tape of the present session of a symbol, though nothing else may be known of it. */
  isTaped(symbol: Ticker): MaybePromise<boolean>
  /**
   * Sums of every tape since the beginning of a minute, by symbol: the same object until it is older than `maxAge`.
   * Undefined: there are no tapes at all.
   */
  windowTotals(kind: TapeKind, from: Instant, maxAge: number): MaybePromise<WindowsFound | undefined>
  /** The newest samples of every symbol with options that expire on the day of the session, by symbol. */
  newestSamples(): MaybePromise<readonly NewestSample[]>
  /**
   * Figures over time that were recorded with snapshots of a symbol: the same object for as long as they are the same.
   * Undefined: no history is kept.
   */
  figures(request: FigureRequest): MaybePromise<FigureColumns | undefined>
  /** A net figure by strike at the snapshots recorded of a session, ascending. Undefined: no history is kept. */
  strikes(request: StrikeRequest): MaybePromise<readonly StrikeColumn[] | undefined>
  /** The moment of the market, down to a whole multiple of `step` milliseconds. */
  clock(step: number): Instant
}

/** A recorded snapshot: the first of a New York day from a moment on, or the newest of the day by a moment. */
export interface EarlierRequest {
  readonly symbol: Ticker
  readonly at: Instant
  readonly which: 'first_from' | 'newest_by'
}

/** The source of a chain. */
export interface ChainProvenance {
  /** The name of the connector; of a past moment how the snapshot came into the archive. */
  readonly name: string
  /** Milliseconds between two chains of a symbol at best. */
  readonly pace: number
}

/** The reports to come, in any order, with what is at hand of the past of their companies. */
export interface EarningsCalendar {
  readonly reports: readonly UpcomingReport[]
  /** By symbol; whatever is not at hand is collected for later. */
  readonly histories: ReadonlyMap<Ticker, ReportHistory>
}

export interface UpcomingReport {
  readonly symbol: Ticker
  readonly event: EarningsEvent
  /** The newest implied move that was taken, percent; undefined: none was. */
  readonly storedMove: number | undefined
}

/** The reports of a company and its daily bars, ascending. */
export interface ReportHistory {
  readonly earnings: SymbolEarnings
  readonly bars: readonly DailyBar[]
}

/** What a scan across symbols reads. */
export interface WindowsFound {
  /** The moment of the market at which they were summed up. */
  readonly at: Instant
  readonly source: TapeSource
  readonly silent: boolean
  readonly totals: readonly WindowTotals[]
}

/**
 * The only way by which an answer gets market data: everything as known at one moment. The live market and a replayed
 * one implement it, so an answer cannot tell them apart, and cannot see a clock or the future.
 */
export interface MarketSource extends MarketData {
  /** The moment the market stands at. */
  now(): Instant
  catalogue(): Catalogue
  /** What the screener holds of every symbol, with the chains it was made of where a screen looks at contracts. */
  screened(withChains: boolean): MaybePromise<Screened>
  /** Whether the source of this chain has stopped answering since. */
  isStale(chain: ChainHeader): boolean
}

/** Who makes a market look for a symbol that it does not hold. */
export interface Asker {
  /** Without a key nothing is looked for beyond the symbols that the source is known to list. */
  readonly keyless: boolean
  /** The account, by a name of its own. */
  readonly client?: string | undefined
}

/** Which market a request reads, how old data may be for it (milliseconds), and whose it is. */
export interface DataRequest extends Asker {
  readonly source: MarketSource
  readonly maxAge: number
}
