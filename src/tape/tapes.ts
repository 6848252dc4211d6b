import type { WindowsFound } from '../api/source.ts'
import type { ViewName, ViewRequest, Views } from '../flow/views.ts'
import type { TapeKind } from '../market/print.ts'
import type { Instant, Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'

/**
 * Where tapes are kept and folded. The thread that serves HTTP knows them by this port only: one further thread owns them
 * all, or, in tests, the same thread.
 */
export interface Tapes {
  /** Begins to keep the tapes of a symbol; those asked for longest ago make room for it. */
  keep(symbol: Ticker): void
  /** What a tape shows now. Undefined: there is no feed of its prints, or it is not kept. */
  view<Name extends ViewName>(request: ViewRequest<Name>): Promise<Views[Name] | undefined>
  windowTotals(kind: TapeKind, from: Instant): Promise<WindowsFound | undefined>
  /** Symbols whose tapes are kept and have caught up. */
  symbols(): Promise<readonly Ticker[]>
  /** A newer chain of a symbol: prints are inferred from it where there is no feed, hedge flow takes its greeks. */
  note(chain: PricedChain): void
  close(): Promise<void>
}
