import type { Instant, Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'

/** Stored figures of one symbol, computed from one chain. They are rounded as in responses. NaN means missing. */
export interface ScreenerRow {
  readonly symbol: Ticker
  readonly asOf: Instant
  /** One figure for each stock field, in the order of the field table. */
  readonly stock: Float64Array
  /** Figures of all expiration dates, one date after another. Each has one figure for each expiration field. */
  readonly expiries: Float64Array
}

/** Symbol that a screen is about. */
export interface ScreenedSymbol {
  readonly symbol: Ticker
  /** Position of the symbol in the curated list of symbols. Undefined for a symbol that was loaded on demand. */
  readonly rank: number | undefined
  readonly tier: 1 | 2 | undefined
}

/** Stored row of a symbol with everything that a screen needs. */
export interface ScreenedRow extends ScreenerRow, ScreenedSymbol {
  /** The chain from which the row was computed. Undefined unless the screen needs it, see `needsChains`. */
  readonly chain: PricedChain | undefined
}

/** Input of a screen: all stored rows, ascending by symbol. */
export interface Screened {
  readonly now: Instant
  readonly rows: readonly ScreenedRow[]
  /** Curated and loaded symbols that have no row: their chains are still being read, or cannot be had. */
  readonly missing: readonly ScreenedSymbol[]
  /** Members of each group of symbols that the operator configures. */
  readonly presets: Readonly<Record<string, readonly Ticker[]>>
}
