import type { DailyBar } from '../../market/bar.ts'
import type { Chain } from '../../market/chain.ts'
import type { EarningsSpan, EarningsStatement } from '../../market/earnings.ts'
import type { PayloadRows } from '../../market/payload-rows.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { Capability, ServedCapability } from './capability.ts'
import type { RequestBudget } from './http/request-budget.ts'
import type { PrintFeed } from './prints/print-feed.ts'
import type { StreamBudget } from './streams/stream-budget.ts'

/** One symbol the source keeps worth watching. Tier 1 is refreshed first. */
export interface UniverseSymbol {
  readonly symbol: Ticker
  readonly tier: 1 | 2
}

/** How many requests a source takes. */
export interface RequestRate {
  /** At once, after a rest. */
  readonly burst: number
  readonly perMinute: number
}

/** What a chain was made of. */
export interface ReceivedPayload {
  /** The payload as it came, unpacked. */
  readonly payload: Uint8Array
  readonly reading: PayloadRows
}

/**
 * Judges a chain before its connector remembers anything of it: throws a `SourceError` where it is refused, after which
 * the connector is to be as if it had never come.
 */
export type ChainCheck = (chain: Chain, received: ReceivedPayload) => void

/**
 * A source of market data, as a plain object. It answers for the moment it is asked about and keeps no market state of
 * its own: what is latest, shared or stale is the business of `live/`.
 */
export interface Connector {
  /** As printed in headers, logs and metrics. */
  readonly name: string
  /** True when the figures are made up: every answer then says so. */
  readonly synthetic: boolean
  readonly provides: readonly Capability[]
  /** What an operator must know before serving this data to others. */
  readonly terms: string
  /** The sources of the capabilities where they are several, see `combine.ts`; undefined: it supplies all of them. */
  readonly suppliers?: Readonly<Record<ServedCapability, Connector>>
  /** The sources that are asked in turn until one answers, see `source-fallback.ts`; undefined: it is the only one. */
  readonly alternatives?: readonly Connector[]
  /** The least time between two requests for one symbol, milliseconds. */
  readonly pace: number
  /** How long a chain may take, its turn within a budget included, milliseconds; undefined: 20 seconds. */
  readonly timeLimit?: number
  /** What it may be asked for, all callers together; undefined: the source counts no requests. */
  readonly budget?: Pick<RequestBudget, 'perMinute' | 'given' | 'maxParallel'>
  /** What its streams take, and what is spent of that; undefined: it has none. */
  readonly streams?: Pick<StreamBudget, 'limit' | 'contracts' | 'maxContracts' | 'without'> | undefined
  /** How many symbols that are not kept warm it may be asked for, all callers together; undefined: as many as they like. */
  readonly onDemand?: RequestRate
  /** Symbols to keep warm, in curator's order. */
  readonly universe: readonly UniverseSymbol[]
  /** Every ticker known beforehand, ascending. A source may answer for others too. */
  readonly tickers: readonly Ticker[]
  /** The moment a recording is fixed at. Undefined for a source that moves with the clock. */
  readonly fixedAt: Instant | undefined
  /** The newest moment the source can describe at `now`: a chain as of it needs no reload. */
  latest(now: Instant): Instant
  /**
   * The chain at `now`, expired contracts of earlier dates left out. Undefined: the source does not know the symbol. A
   * connector that remembers what it received shows it to `check` first.
   */
  chain(symbol: Ticker, now: Instant, signal: AbortSignal, check?: ChainCheck): Promise<Chain | undefined>
  /** Whether it can describe past closes: daily records of earlier sessions are then made from them. */
  readonly holdsPast: boolean
  /** The chain as it stood at the close of a past session. Undefined when the source does not hold that day. */
  closingChain(symbol: Ticker, session: IsoDate, signal: AbortSignal): Promise<Chain | undefined>
  /** The same where volumes, sizes and last prices are not read: a source that is quicker without them leaves them out. */
  closingQuotes?(symbol: Ticker, session: IsoDate, signal: AbortSignal): Promise<Chain | undefined>
  /** Completed daily bars up to `now`, ascending. Empty when the source has none. */
  dailyBars(symbol: Ticker, now: Instant, signal: AbortSignal): Promise<readonly DailyBar[]>
  /** What was said by `now` of the reports of companies, where it has a calendar of them. */
  earnings?(asked: EarningsSpan, now: Instant, signal: AbortSignal): Promise<readonly EarningsStatement[]>
  /** Prints of options and stocks, where it has them. */
  readonly prints?: PrintFeed | undefined
}
