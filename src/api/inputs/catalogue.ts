import type { Instant, Ticker } from '../../market/units.ts'
import type { Input } from './input.ts'

/** State of symbols, without their prices. */
export interface Catalogue {
  /** Every ticker known to the source, ascending. */
  readonly tickers: readonly Ticker[]
  /** Symbols requested since the start whose data is still held, ascending, and the time of their newest data. */
  readonly asked: readonly Ticker[]
  readonly lastUpdated: Instant | undefined
  /** Symbols whose chain is held, ascending. `stale`: the source has failed since. */
  readonly held: readonly { readonly symbol: Ticker; readonly observedAt: Instant; readonly stale: boolean }[]
  /** Symbols kept warm, in the curator's order. */
  readonly universe: readonly WarmSymbol[]
}

export interface WarmSymbol {
  readonly symbol: Ticker
  readonly tier: 1 | 2
  /** Whether its chain is loaded. */
  readonly warm: boolean
  /** Seconds since its chain was requested from the source. */
  readonly age: number | undefined
  /** Overdue by more than its interval: the source fails or is at its rate limit. */
  readonly late: boolean
}

export const catalogue: Input<Catalogue> = {
  kind: 'service',
  inPlace: true,
  moves: false,
  find: ({ request: { source } }) => source.catalogue(),
  version: () => ''
}
