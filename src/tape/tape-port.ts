import type { WindowsFound } from '../api/market-source.ts'
import type { ViewName, ViewRequest, Views } from '../flow/tape-views.ts'
import type { TapeKind } from '../market/print.ts'
import type { Instant, Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'

/** The live tapes, as the thread that serves HTTP sees them. They live on a thread of their own; in tests, on the same one. */
export interface Tapes {
  /** Follows a symbol; if there are too many, the least recently kept one is dropped. */
  keep(symbol: Ticker): void
  /** A view of a tape now. Undefined if the symbol is not followed or there are no prints of this kind. */
  view<Name extends ViewName>(request: ViewRequest<Name>): Promise<Views[Name] | undefined>
  /** Totals of all followed symbols since `from`. */
  windowTotals(kind: TapeKind, from: Instant): Promise<WindowsFound | undefined>
  /** Followed symbols whose tapes have caught up with the session. */
  symbols(): Promise<readonly Ticker[]>
  /** Takes a newer chain of a symbol: hedge flow needs its greeks, and without a feed prints are inferred from it. */
  note(chain: PricedChain): void
  close(): Promise<void>
}
