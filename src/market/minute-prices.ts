import type { Instant, IsoDate, Ticker } from './units.ts'

/**
 * Prices of the complete minutes of one session, USD per share, and their volume: entry `k` of each column belongs to the minute that
 * begins `k` minutes after the open.
 */
export interface MinutePrices {
  readonly date: IsoDate
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  /** Shares traded; undefined if the symbol trades none, as an index. */
  readonly shares: Int32Array | undefined
}

/** Sessions of which minute prices are wanted: from that of `from` to that of `to`. */
export interface MinutePricesRequest {
  readonly symbol: Ticker
  readonly from: Instant
  readonly to: Instant
}
