import type { Instant, Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'

/** Stored figures of one symbol, computed from one chain. They are rounded as printed and NaN if missing. */
export interface ScreenerRow {
  readonly symbol: Ticker
  readonly asOf: Instant
  /** One figure per stock field, in the order of the field table. */
  readonly stock: Float64Array
  /** Figures by expiration date, one per expiration field. */
  readonly expiries: Float64Array
}

/** A symbol's row as input of a screen. */
export interface ScreenedRow extends ScreenerRow {
  /** Position in the universe's curated order; undefined for a symbol that was loaded on demand. */
  readonly rank: number | undefined
  readonly tier: 1 | 2 | undefined
  /** The chain behind the row; undefined unless the screen has conditions on expirations, strikes or contracts. */
  readonly chain: PricedChain | undefined
}

/** Input of a screen: all stored rows, ascending by symbol. */
export interface Screened {
  readonly now: Instant
  readonly rows: readonly ScreenedRow[]
  /** Symbols of each universe that the operator configures. */
  readonly presets: Readonly<Record<string, readonly Ticker[]>>
}
