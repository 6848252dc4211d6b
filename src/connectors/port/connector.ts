import type { DailyBar } from '../../market/bar.ts'
import type { Chain } from '../../market/chain.ts'
import type { EarningsSpan, EarningsStatement } from '../../market/earnings.ts'
import type { MinutePrices } from '../../market/minute-prices.ts'
import type { PayloadRows } from '../../market/payload-rows.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { Capability, ServedCapability } from './capability.ts'
import type { RequestBudget } from './http/request-budget.ts'
import type { PrintFeed } from './prints/print-feed.ts'
import type { StreamBudget } from './streams/stream-budget.ts'

/** A symbol that the source keeps fresh. Tier 1 is refreshed first. */
export interface UniverseSymbol {
  readonly symbol: Ticker
  readonly tier: 1 | 2
}

export interface RequestRate {
  /** Maximum number of requests that may be made at once after a time without requests. */
  readonly burst: number
  readonly perMinute: number
}

export interface ReceivedPayload {
  readonly payload: Uint8Array
  readonly reading: PayloadRows
  /** The clock of the server that sent it, if it stated one. */
  readonly servedAt?: Instant | undefined
}

/**
 * Checks a received chain before its connector keeps anything of it. Throws a `SourceError` if the chain must not be
 * used. The connector must then behave as if the chain had never arrived.
 */
export type ChainCheck = (chain: Chain, received?: ReceivedPayload) => void

/** Moments of a chain that another member told of: when it was requested from the source, and when it was told. */
export interface AnnouncedChain {
  readonly observedAt: Instant
  readonly at: Instant
}

/** Chains that other members load, which are told of rather than polled. */
export interface FollowedChains {
  /** Calls a listener when there is a newer chain of a symbol; without a symbol, when any may have been missed. */
  onNewer(listener: (symbol?: Ticker, told?: AnnouncedChain) => void): void
  /** Tells how fresh symbols are wanted here, each with an age in milliseconds. */
  want(chains: readonly (readonly [Ticker, number])[]): void
}

/**
 * A source of market data, as a plain object. It returns data for a given moment and keeps no market state: the code in
 * `live/` decides which data is the latest, shared between users, or stale.
 */
export interface Connector {
  /** Name in headers, logs and metrics, e.g. `cboe`. */
  readonly name: string
  /** True if the figures are made up; every response to a user then says so. */
  readonly synthetic: boolean
  readonly provides: readonly Capability[]
  /** Terms that an operator must know before passing this data on to others. */
  readonly terms: string
  /**
   * The supplying connector of each capability if several are combined, see `combine.ts`; undefined if this connector
   * supplies everything.
   */
  readonly suppliers?: Readonly<Record<ServedCapability, Connector>>
  /** Sources that are tried in order until one responds, see `source-fallback.ts`; undefined for a single source. */
  readonly alternatives?: readonly Connector[]
  /** Minimum time between two requests for one symbol, milliseconds. */
  readonly pace: number
  /**
   * Longest time by which the newest data may lag behind the clock, milliseconds. If undefined, the delay stated by
   * each chain is used.
   */
  readonly delay?: number
  /**
   * Time limit for fetching a chain, milliseconds, including the wait for the request budget; 20 seconds if undefined.
   */
  readonly timeLimit?: number
  /** Request budget shared by all callers; undefined if the source does not count requests. */
  readonly budget?: Pick<RequestBudget, 'perMinute' | 'given' | 'maxParallel'>
  /** Limits of the source's streams and how much of them is in use; undefined without streams. */
  readonly streams?: Pick<StreamBudget, 'limit' | 'contracts' | 'maxContracts' | 'without'> | undefined
  /** Request rate for symbols outside the universe, shared by all callers; undefined for no limit. */
  readonly onDemand?: RequestRate
  /** Symbols to keep fresh, in the order in which the source lists them. */
  readonly universe: readonly UniverseSymbol[]
  /** Tickers that the source is known to have, ascending. It may have others too. */
  readonly tickers: readonly Ticker[]
  /** Whether those are all it has: only then is a symbol unknown because the list lacks it. */
  readonly listsAll?: true
  /** Time of the recorded data that this source always shows; undefined for a source that moves with the clock. */
  readonly fixedAt: Instant | undefined
  /** Time of the newest data that the source can have at `now`. A chain of that time need not be reloaded. */
  latest(now: Instant): Instant
  /**
   * The chain at `now`, without contracts that expired on earlier dates. Undefined if the source does not know the
   * symbol. A connector must call `check` before it keeps anything of a received chain. `maxAge`: age in milliseconds up to
   * which a chain that another member loaded is good enough; only sources that are followed use it.
   */
  chain(
    symbol: Ticker,
    now: Instant,
    signal: AbortSignal,
    check?: ChainCheck,
    maxAge?: number
  ): Promise<Chain | undefined>
  /** Set if other members load and judge the chains; undefined for a source that is asked from here. */
  readonly followed?: FollowedChains
  /**
   * The contracts of `chain` that expire on the day of `now`; undefined if there are none. Absent if the source saves no
   * time without the others.
   */
  expiringChain?(symbol: Ticker, now: Instant, signal: AbortSignal): Promise<Chain | undefined>
  /** Whether the source has closing chains of past sessions. */
  readonly holdsPast: boolean
  /** The chain at the close of a past session. Undefined if the source has no chain of that session. */
  closingChain(symbol: Ticker, session: IsoDate, signal: AbortSignal): Promise<Chain | undefined>
  /**
   * Like `closingChain`, but without volumes, sizes and last prices. Absent if the source saves no time without them.
   */
  closingQuotes?(symbol: Ticker, session: IsoDate, signal: AbortSignal): Promise<Chain | undefined>
  /**
   * Completed daily bars up to `now`, ascending; empty if the source has none. The caller reads the newest `most` only; a
   * source may give more.
   */
  dailyBars(symbol: Ticker, now: Instant, signal: AbortSignal, most?: number): Promise<readonly DailyBar[]>
  /**
   * Prices of the first `minutes` minutes of a session, of a source that makes its prices up and so knows any of them at
   * once. Undefined if it does not know the symbol or the session. Absent for all other sources.
   */
  minutePrices?(symbol: Ticker, session: IsoDate, minutes: number): Promise<MinutePrices | undefined>
  /** Earnings dates and results that were known by `now`. Absent if the source has no earnings calendar. */
  earnings?(asked: EarningsSpan, now: Instant, signal: AbortSignal): Promise<readonly EarningsStatement[]>
  /** Ends its connections; absent if it keeps none open. */
  disconnect?(): Promise<void>
  /** Trades of options and stocks; undefined if the source has none. */
  readonly prints?: PrintFeed | undefined
}
