import type { WindowsFound } from '../api/market-source.ts'
import type { ViewName, ViewRequest, Views } from '../flow/tape-views.ts'
import type { TapeKind } from '../market/print.ts'
import type { Instant, Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'

/** How far the tapes of a symbol have been read. */
export interface ReadProgress {
  /** Share of the regular session so far that has been read, from 0 to 1. */
  readonly share: number
  /** Time up to which prints have been read, milliseconds; undefined before the first one. */
  readonly readTo: Instant | undefined
}

/**
 * Why a symbol is followed: somebody asked for it; its sums are part of an answer about the whole market; or it stays
 * followed although nobody asks.
 */
export type FollowReason = 'scanned' | 'asked' | 'pinned'

/**
 * Live tapes as seen by the thread that handles HTTP requests. They run on their own thread; in tests, on the same one.
 */
export interface Tapes {
  /**
   * Starts or continues to follow a symbol. If too many are followed, the symbol whose last `keep` is oldest is
   * dropped. Of a symbol that is only scanned, the tapes hold what \`windowTotals\` and samples need, and they are read
   * while there is memory for them.
   */
  keep(symbol: Ticker, why?: FollowReason): void
  /**
   * Current view of a tape; undefined if the symbol is not followed or has no prints of this kind. Waits until the tape
   * holds all prints of the session so far. With `mayBePart` it may be a view of the newest part of the session instead,
   * which its `part` says.
   */
  view<Name extends ViewName>(request: ViewRequest<Name>, mayBePart?: boolean): Promise<Views[Name] | undefined>
  /**
   * How far the tapes of a symbol have been read; undefined if they hold all prints of the session so far or the symbol is
   * not followed.
   */
  progress(symbol: Ticker): Promise<ReadProgress | undefined>
  /** Totals of the prints of each followed symbol since `from`. */
  windowTotals(kind: TapeKind, from: Instant): Promise<WindowsFound | undefined>
  /** Followed symbols whose tapes hold all prints of the session so far. */
  symbols(): Promise<readonly Ticker[]>
  /**
   * Takes a new chain of a symbol. Hedge flow needs the chain's greeks. Without a print feed, prints are inferred from
   * the chain. Resolves when the tapes have copied what they need of it.
   */
  note(chain: PricedChain): Promise<void>
  close(): Promise<void>
}
