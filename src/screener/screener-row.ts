import type { Instant, Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'

/** What the screener holds of one symbol, made of one chain. Figures are rounded as they are printed, NaN where absent. */
export interface ScreenerRow {
  readonly symbol: Ticker
  readonly asOf: Instant
  /** One figure for each stock field, in the order of the table. */
  readonly stock: Float64Array
  /** One figure for each expiration date and each field of it, date after date. */
  readonly expiries: Float64Array
}

/** The row of a symbol as a screen sees it. */
export interface ScreenedRow extends ScreenerRow {
  /** The place in the universe, in curator's order; undefined for a symbol that was loaded on demand. */
  readonly rank: number | undefined
  readonly tier: 1 | 2 | undefined
  /** The chain it was made of, where the screen looks below the symbol. */
  readonly chain: PricedChain | undefined
}

/** Everything a screen looks at: what is held at the moment, ascending by symbol. */
export interface Screened {
  readonly now: Instant
  readonly rows: readonly ScreenedRow[]
  /** Symbols by the name of a preset, as the operator lists them. */
  readonly presets: Readonly<Record<string, readonly Ticker[]>>
}
