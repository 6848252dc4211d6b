import type { EarlierRequest } from '../api/market-source.ts'
import type { MaybePromise } from '../api/maybe-promise.ts'
import type { HistoryStore, ZeroDteRow } from '../archive/history-store.ts'
import type { DoubtReason } from '../gate/candidate.ts'
import type { HeldBackReason } from '../gate/gate.ts'
import type { DailyBar } from '../market/bar.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import type { EarningsStatement, EventRecord } from '../market/earnings.ts'
import type { PressureRow } from '../market/hedge-pressure.ts'
import type { MinutePrices, MinutePricesRequest } from '../market/minute-prices.ts'
import type { StrikeColumn, StrikeRequest } from '../market/strike-sums.ts'
import type { Instant, Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { StandingDoubt } from './chains/doubts.ts'

/** The part of the archive that the live market reads: data about past sessions. */
export type PastArchive = Pick<
  HistoryStore,
  | 'snapshot'
  | 'closingSnapshot'
  | 'coverage'
  | 'bars'
  | 'records'
  | 'bandErrors'
  | 'dividends'
  | 'splits'
  | 'figures'
  | EarningsReading
  | SampleReading
>
type EarningsReading = 'earnings' | 'eventRecords'
type SampleReading = 'zeroDteSamples' | 'zeroDteMinutes' | 'newestSamples' | 'pressure' | 'pressureAt' | 'customers'

export interface PastChains {
  earlier(request: EarlierRequest, at: Instant): Promise<PricedChain | undefined>
}

/** For the recorded snapshots of a session up to a moment: one figure per strike, such as gamma exposure. */
export interface PastStrikes {
  columns(request: StrikeRequest, at: Instant): Promise<readonly StrikeColumn[]>
}

/** Minute prices that a market which makes its prices up had until a moment. */
export interface PastMinutes {
  known(request: MinutePricesRequest, until: Instant): MaybePromise<readonly MinutePrices[]>
}

/**
 * All events of the live market, by name. The recorder, stream, metrics and log subscribe to those they need. Data that
 * was read from the archive causes no event.
 */
export interface MarketEvents {
  /** A newer chain of a symbol has replaced the previous one. */
  chainSwapped: PricedChain
  /**
   * The last recorded chain of a symbol is served because the source has given none since the start. It is no news, so
   * neither the recorder nor alerts take it.
   */
  chainRestored: PricedChain
  /** Prints of a symbol have arrived, so figures computed from them may have changed. */
  tapeMoved: { readonly symbol: Ticker }
  /** Half-minute samples of options that expire today were computed, for all symbols at once. */
  zeroDteSampled: readonly ZeroDteRow[]
  /** Hedging pressure of a half minute was sampled, for all symbols at once. */
  pressureSampled: readonly PressureRow[]
  /** The source provided the chain at the close of a past session. */
  closeLearned: PricedChain
  /** Daily bars and daily records that are not in the archive yet. */
  barsLearned: { readonly symbol: Ticker; readonly bars: readonly DailyBar[] }
  recordsLearned: { readonly symbol: Ticker; readonly records: readonly DailyRecord[] }
  /** Statements about earnings reports, and records of past reports, that are not in the archive yet. */
  earningsLearned: { readonly symbol: Ticker; readonly statements: readonly EarningsStatement[] }
  eventRecordsLearned: { readonly symbol: Ticker; readonly records: readonly EventRecord[] }
  snapshotRecorded: PricedChain
  /** Somebody asked for past prices of a symbol of a market that makes its prices up. */
  pastAsked: { readonly symbol: Ticker }
  /** The source responded to a request for a chain; `known` is false if it does not know the symbol. */
  sourceAnswered: { readonly symbol: Ticker; readonly seconds: number; readonly known: boolean }
  sourceFailed: { readonly symbol: Ticker; readonly seconds: number; readonly error: Error }
  /**
   * The source responded, but checks refused its chain, close or daily bars, or did not trust them. `payload` is the response, compressed with
   * gzip, if available.
   */
  payloadRefused: {
    readonly symbol: Ticker
    readonly seconds: number
    readonly reason: HeldBackReason
    readonly message: string
    readonly payload: Uint8Array | undefined
  }
  /** The source responded with a chain older than the current one. The older chain was dropped. */
  olderDropped: { readonly symbol: Ticker; readonly seconds: number; readonly message: string }
  /** Checks did not trust a chain, a close or daily bars of a symbol: for the first time, or for another reason than before. */
  readingDoubted: StandingDoubt
  /** A doubt ended: evidence agrees, or the operator accepted what was doubted. */
  doubtEnded: {
    readonly symbol: Ticker
    readonly reason: DoubtReason
    readonly since: Instant
    readonly by: 'evidence' | 'operator'
  }
  /** The current chain had a time in the future, because a clock was wrong. A chain of the present has replaced it. */
  futureReplaced: { readonly symbol: Ticker; readonly was: Instant; readonly is: Instant }
  /** A symbol's chain now comes from another data source than before. */
  sourceChanged: { readonly symbol: Ticker; readonly from: string; readonly to: string }
  /** The source responds again for a symbol for which it had failed. */
  sourceBack: { readonly symbol: Ticker }
  /** Something other than the live market, such as an import, wrote data of a symbol into the archive. */
  daysWritten: { readonly symbol: Ticker; readonly written: WrittenRows }
}

/** Kinds of archive data that an import may write. */
export type WrittenRows = 'bars' | 'records' | 'dividends' | 'earnings' | 'tapes' | 'snapshots'

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
