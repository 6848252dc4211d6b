import type { DailyBar } from '../../market/bar.ts'
import type { Chain } from '../../market/chain.ts'
import type { EarningsSpan, EarningsStatement } from '../../market/earnings.ts'
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
  /** Requests at once after a pause. */
  readonly burst: number
  readonly perMinute: number
}

export interface ReceivedPayload {
  readonly payload: Uint8Array
  readonly reading: PayloadRows
}

/**
 * Checks a chain before its connector remembers anything about it. Throws a `SourceError` to refuse it; the connector
 * must then behave as if the chain had never arrived.
 */
export type ChainCheck = (chain: Chain, received: ReceivedPayload) => void

/**
 * A source of market data, as a plain object. It answers for the moment it is asked about and keeps no market state of
 * its own: `live/` decides what is latest, shared or stale.
 */
export interface Connector {
  /** Name for headers, logs and metrics. */
  readonly name: string
  /** True if the figures are made up: every answer then says so. */
  readonly synthetic: boolean
  readonly provides: readonly Capability[]
  /** Terms that an operator must know before serving this data to others. */
  readonly terms: string
  /**
   * The source of each capability if several are combined, see `combine.ts`; undefined if this connector supplies all
   * of them.
   */
  readonly suppliers?: Readonly<Record<ServedCapability, Connector>>
  /** Sources that are asked in order until one answers, see `source-fallback.ts`; undefined for a single source. */
  readonly alternatives?: readonly Connector[]
  /** Minimum time between two requests for one symbol, milliseconds. */
  readonly pace: number
  /** Milliseconds that a chain may take, including the wait for the request budget; 20 seconds if undefined. */
  readonly timeLimit?: number
  /** The request budget that all callers share; undefined if the source counts no requests. */
  readonly budget?: Pick<RequestBudget, 'perMinute' | 'given' | 'maxParallel'>
  /** Limits of its streams and how much of them is in use; undefined without streams. */
  readonly streams?: Pick<StreamBudget, 'limit' | 'contracts' | 'maxContracts' | 'without'> | undefined
  /** Rate for symbols outside the universe, shared by all callers; undefined for no limit. */
  readonly onDemand?: RequestRate
  /** Symbols to keep fresh, in the curator's order. */
  readonly universe: readonly UniverseSymbol[]
  /** All tickers known beforehand, ascending. A source may answer for others too. */
  readonly tickers: readonly Ticker[]
  /** The moment at which a recording stands; undefined for a source that moves with the clock. */
  readonly fixedAt: Instant | undefined
  /** The newest moment the source can describe at `now`: a chain of that moment needs no reload. */
  latest(now: Instant): Instant
  /**
   * The chain at `now`, without contracts that expired on earlier dates. Undefined if the source does not know the
   * symbol. A connector that remembers what it received calls `check` first.
   */
  chain(symbol: Ticker, now: Instant, signal: AbortSignal, check?: ChainCheck): Promise<Chain | undefined>
  /** Whether it can describe past closes, from which daily records of earlier sessions are made. */
  readonly holdsPast: boolean
  /** The chain at the close of a past session. Undefined if the source does not have that day. */
  closingChain(symbol: Ticker, session: IsoDate, signal: AbortSignal): Promise<Chain | undefined>
  /**
   * The chain at the close of a past session without volumes, sizes and last prices, for sources that are quicker
   * without them.
   */
  closingQuotes?(symbol: Ticker, session: IsoDate, signal: AbortSignal): Promise<Chain | undefined>
  /** Completed daily bars up to `now`, ascending; empty if the source has none. */
  dailyBars(symbol: Ticker, now: Instant, signal: AbortSignal): Promise<readonly DailyBar[]>
  /** Statements about company reports that were known by `now`, from a source with an earnings calendar. */
  earnings?(asked: EarningsSpan, now: Instant, signal: AbortSignal): Promise<readonly EarningsStatement[]>
  /** Prints of options and stocks, if it has them. */
  readonly prints?: PrintFeed | undefined
}
