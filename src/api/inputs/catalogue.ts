import type { Instant, Ticker } from '../../market/units.ts'
import type { Input } from './input.ts'

/** State of the service's symbols, without their prices. */
export interface Catalogue {
  /** Every ticker known to the source, ascending. */
  readonly tickers: readonly Ticker[]
  /**
   * Symbols requested since the start that are still loaded, ascending; `lastUpdated` is the time of their newest data.
   */
  readonly asked: readonly Ticker[]
  readonly lastUpdated: Instant | undefined
  /** Symbols whose chain is loaded, ascending. `stale`: the source has failed since. */
  readonly held: readonly { readonly symbol: Ticker; readonly observedAt: Instant; readonly stale: boolean }[]
  /** Symbols to keep loaded, in the operator's order. */
  readonly universe: readonly WarmSymbol[]
}

export interface WarmSymbol {
  readonly symbol: Ticker
  readonly tier: 1 | 2
  readonly warm: boolean
  /** Seconds since the symbol's chain was requested from the source. */
  readonly age: number | undefined
  /** Whether the chain is overdue by more than its refresh interval: the source fails or is at its rate limit. */
  readonly late: boolean
}

export const catalogue: Input<Catalogue> = {
  kind: 'service',
  inPlace: true,
  moves: false,
  find: ({ request: { source } }) => source.catalogue(),
  version: () => ''
}
