import type { EarlierRequest } from '../api/market-source.ts'
import type { HistoryStore, ZeroDteRow } from '../archive/history-store.ts'
import type { DoubtReason } from '../gate/candidate.ts'
import type { HeldBackReason } from '../gate/gate.ts'
import type { DailyBar } from '../market/bar.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import type { EarningsStatement, EventRecord } from '../market/earnings.ts'
import type { StrikeColumn, StrikeRequest } from '../market/strike-sums.ts'
import type { Instant, Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { StandingDoubt } from './chains/doubts.ts'

/** The part of the archive that the live market reads: data about past sessions. */
export type PastArchive = Pick<
  HistoryStore,
  'snapshot' | 'closingSnapshot' | 'bars' | 'records' | 'dividends' | 'figures' | EarningsReading | SampleReading
>
type EarningsReading = 'earnings' | 'eventRecords'
type SampleReading = 'zeroDteSamples' | 'zeroDteMinutes' | 'newestSamples'

export interface PastChains {
  earlier(request: EarlierRequest, at: Instant): Promise<PricedChain | undefined>
}

/** Recorded snapshots summed by strike: one figure for a session up to a moment. */
export interface PastStrikes {
  columns(request: StrikeRequest, at: Instant): Promise<readonly StrikeColumn[]>
}

/**
 * All events of the live market, by name. Reading the archive emits none. Recorder, stream, metrics and log subscribe
 * to those they need.
 */
export interface MarketEvents {
  /** A newer chain of a symbol has replaced the previous one. */
  chainSwapped: PricedChain
  /** Views of a symbol's tapes may have changed. */
  tapeMoved: { readonly symbol: Ticker }
  /** Raw bars of options that expire today were sampled, for all symbols at once. */
  zeroDteSampled: readonly ZeroDteRow[]
  /** The source provided the chain at the close of a past session. */
  closeLearned: PricedChain
  /** Daily bars and records that the archive does not have yet. */
  barsLearned: { readonly symbol: Ticker; readonly bars: readonly DailyBar[] }
  recordsLearned: { readonly symbol: Ticker; readonly records: readonly DailyRecord[] }
  /** Statements about earnings reports, and records of past ones, that the archive does not have yet. */
  earningsLearned: { readonly symbol: Ticker; readonly statements: readonly EarningsStatement[] }
  eventRecordsLearned: { readonly symbol: Ticker; readonly records: readonly EventRecord[] }
  snapshotRecorded: PricedChain
  /** The source responded to a request for a chain; `known` is false if it does not know the symbol. */
  sourceAnswered: { readonly symbol: Ticker; readonly seconds: number; readonly known: boolean }
  sourceFailed: { readonly symbol: Ticker; readonly seconds: number; readonly error: Error }
  /**
   * The source responded, but the chain was refused or is doubted; `payload` is its response, compressed by gzip, if
   * available.
   */
  payloadRefused: {
    readonly symbol: Ticker
    readonly seconds: number
    readonly reason: HeldBackReason
    readonly message: string
    readonly payload: Uint8Array | undefined
  }
  /** The source responded with a chain older than the held one, which was dropped. */
  olderDropped: { readonly symbol: Ticker; readonly seconds: number; readonly message: string }
  /** A first chain of a symbol was doubted, or chains are doubted for another reason than before. */
  chainDoubted: StandingDoubt
  /** A chain was taken that ends a doubt, because evidence agrees or the operator said so. */
  doubtEnded: {
    readonly symbol: Ticker
    readonly reason: DoubtReason
    readonly since: Instant
    readonly by: 'evidence' | 'operator'
  }
  /** A chain of a moment that lay in the future was replaced by one of the present. */
  futureReplaced: { readonly symbol: Ticker; readonly was: Instant; readonly is: Instant }
  /** A symbol's chain now comes from another source than before. */
  sourceChanged: { readonly symbol: Ticker; readonly from: string; readonly to: string }
  /** The source responds again for a symbol that failed before. */
  sourceBack: { readonly symbol: Ticker }
  /** Something other than the market wrote rows of a symbol into the archive. */
  daysWritten: { readonly symbol: Ticker; readonly written: WrittenRows }
}

/** Kinds of archive rows that an import may write. */
export type WrittenRows = 'bars' | 'records' | 'dividends' | 'earnings' | 'tapes'

type Listener<Name extends keyof MarketEvents> = (event: MarketEvents[Name]) => void

/** Passes every event to its subscribers, in the order in which they subscribed. */
export class MarketEventBus {
  readonly #listeners: { [Name in keyof MarketEvents]?: Listener<Name>[] } = {}

  on<Name extends keyof MarketEvents>(name: Name, listener: Listener<Name>): void {
    const listeners: Listener<Name>[] = this.#listeners[name] ?? []
    listeners.push(listener)
    Object.assign(this.#listeners, { [name]: listeners })
  }

  emit<Name extends keyof MarketEvents>(name: Name, event: MarketEvents[Name]): void {
    for (const listener of this.#listeners[name] ?? []) listener(event)
  }
}
