import type { WindowsFound } from '../api/market-source.ts'
import type { ViewName, ViewRequest, Views } from '../flow/tape-views.ts'
import type { TapeKind } from '../market/print.ts'
import type { Instant, Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'

/**
 * Live tapes as seen by the thread that handles HTTP requests. They run on their own thread; in tests, on the same one.
 */
export interface Tapes {
  /**
   * Starts or continues to follow a symbol. If too many are followed, the symbol whose last `keep` is oldest is
   * dropped. A pinned symbol stays although nobody asks for it.
   */
  keep(symbol: Ticker, isPinned?: boolean): void
  /** Current view of a tape; undefined if the symbol is not followed or has no prints of this kind. */
  view<Name extends ViewName>(request: ViewRequest<Name>): Promise<Views[Name] | undefined>
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
