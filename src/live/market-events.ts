import type { EarlierRequest } from '../api/market-source.ts'
import type { HistoryStore, ZeroDteRow } from '../archive/history-store.ts'
import type { DailyBar } from '../market/bar.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import type { EarningsStatement, EventRecord } from '../market/earnings.ts'
import type { RefusalReason } from '../market/examination.ts'
import type { StrikeColumn, StrikeRequest } from '../market/strike-sums.ts'
import type { Instant, Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'

/** The part of the archive that the live market reads: what was recorded of past sessions. */
export type PastArchive = Pick<
  HistoryStore,
  'closingSnapshot' | 'bars' | 'records' | 'dividends' | 'figures' | EarningsReading | SampleReading
>
type EarningsReading = 'earnings' | 'eventRecords'
type SampleReading = 'zeroDteSamples' | 'zeroDteMinutes' | 'newestSamples'

/** What was recorded as chains: see `MarketData.earlier`. */
export interface PastChains {
  earlier(request: EarlierRequest, at: Instant): Promise<PricedChain | undefined>
}

/** What was recorded, added up by strike: one figure of a session up to a moment. */
export interface PastStrikes {
  columns(request: StrikeRequest, at: Instant): Promise<readonly StrikeColumn[]>
}

/**
 * Everything that happens to the live market, by name. Data that came out of the archive is no event. Recorder, stream,
 * metrics and log subscribe, each to what concerns it.
 */
export interface MarketEvents {
  /** A newer chain of a symbol is held from now on. */
  chainSwapped: PricedChain
  /** What the tapes of a symbol show may have changed. */
  tapeMoved: { readonly symbol: Ticker }
  /** Raw bars of what expires on the day were taken, of all symbols at once. */
  zeroDteSampled: readonly ZeroDteRow[]
  /** The source gave the chain at the close of a past session. */
  closeLearned: PricedChain
  /** Daily bars and records that the archive does not have yet. */
  barsLearned: { readonly symbol: Ticker; readonly bars: readonly DailyBar[] }
  recordsLearned: { readonly symbol: Ticker; readonly records: readonly DailyRecord[] }
  /** What was said of reports, and the records of closes around past ones, that the archive does not have yet. */
  earningsLearned: { readonly symbol: Ticker; readonly statements: readonly EarningsStatement[] }
  eventRecordsLearned: { readonly symbol: Ticker; readonly records: readonly EventRecord[] }
  /** A chain goes into the archive as a snapshot. */
  snapshotRecorded: PricedChain
  /** The source answered a request for a chain; `known` is false where it does not know the symbol. */
  sourceAnswered: { readonly symbol: Ticker; readonly seconds: number; readonly known: boolean }
  sourceFailed: { readonly symbol: Ticker; readonly seconds: number; readonly error: Error }
  /** The source answered, and what it said is not believed; `payload` is what came, packed by gzip, where it is at hand. */
  payloadRefused: {
    readonly symbol: Ticker
    readonly seconds: number
    readonly reason: RefusalReason
    readonly message: string
    readonly payload: Uint8Array | undefined
  }
  /** The chain that is held of a symbol from now on is of another source than the one before it. */
  sourceChanged: { readonly symbol: Ticker; readonly from: string; readonly to: string }
  /** The source answers for a symbol again for which it failed before. */
  sourceBack: { readonly symbol: Ticker }
  /** Something else than the market wrote rows of a symbol into the archive. */
  daysWritten: { readonly symbol: Ticker; readonly written: WrittenRows }
}

/** What rows of a symbol may be of. */
export type WrittenRows = 'bars' | 'records' | 'dividends' | 'earnings' | 'tapes'

type Listener<Name extends keyof MarketEvents> = (event: MarketEvents[Name]) => void

/** Hands every event to those who subscribed to its name, in the order in which they did. */
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
