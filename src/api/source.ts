import type { DailyBar } from '../market/bar.ts'
import type { ChainHeader } from '../market/chain.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { Catalogue } from './inputs/inputs.ts'

/** Found at once, or awaited while it is loaded. */
export type MaybePromise<Value> = Value | Promise<Value>

/**
 * The only door through which an answer gets market data: everything as known at one moment. The live market and a
 * replayed one stand behind the same door, so an answer cannot tell them apart, and cannot see a clock or the future.
 * `maxAge` is how old the caller's plan lets data be, milliseconds; a source may give newer.
 */
export interface MarketSource {
  /** The moment the market stands at. */
  now(): Instant
  /** The chain of a symbol, its size 0 where no options are listed. Undefined: nothing is known of the symbol. */
  chain(symbol: Ticker, maxAge: number): MaybePromise<PricedChain | undefined>
  /**
   * A symbol's chain at the close of a past session. Undefined: it is not held, or that session is not over. Like `chain`
   * it fails with source_unavailable where the source does not answer.
   */
  closing(symbol: Ticker, session: IsoDate): MaybePromise<PricedChain | undefined>
  /**
   * Daily bars of a symbol's completed sessions, ascending: at most `longestHistory` of them, the same list object until
   * there is a newer bar. Empty where the source has none.
   */
  bars(symbol: Ticker): MaybePromise<readonly DailyBar[]>
  /**
   * Daily records of a symbol dated strictly before a date, ascending: the newest `count` of them, `longestRecords` at
   * most, the same list object until there is a newer one. Empty where the source has none.
   */
  records(symbol: Ticker, before: IsoDate, count: number): MaybePromise<readonly DailyRecord[]>
  catalogue(): Catalogue
  /** Whether the source of this chain has stopped answering since. */
  isStale(chain: ChainHeader): boolean
}

/** What a request brings to loadInputs: whom it asks, how old data may be for it (milliseconds), and whether it has no key. */
export interface DataRequest {
  readonly source: MarketSource
  readonly maxAge: number
  readonly keyless: boolean
}
