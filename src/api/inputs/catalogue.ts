import type { Instant, Ticker } from '../../market/units.ts'
import type { Input } from './input.ts'

/** What the service knows of symbols rather than of prices. */
export interface Catalogue {
  /** Every ticker known to the source, ascending. */
  readonly tickers: readonly Ticker[]
  /** Symbols asked for since start whose data is still held, ascending, and when the newest of them was observed. */
  readonly asked: readonly Ticker[]
  readonly lastUpdated: Instant | undefined
  /** Every symbol whose chain is held, ascending. Stale: its source has failed since. */
  readonly held: readonly { readonly symbol: Ticker; readonly observedAt: Instant; readonly stale: boolean }[]
  /** The symbols kept warm, in curator's order. */
  readonly universe: readonly WarmSymbol[]
}

export interface WarmSymbol {
  readonly symbol: Ticker
  readonly tier: 1 | 2
  /** Loaded. */
  readonly warm: boolean
  /** Since the source was asked for the chain that is held, seconds. */
  readonly age: number | undefined
  /** Not renewed for twice as long as it is to be: the source fails, or takes no more requests. */
  readonly late: boolean
}

export const catalogue: Input<Catalogue> = {
  kind: 'service',
  inPlace: true,
  moves: false,
  find: ({ request: { source } }) => source.catalogue(),
  version: () => ''
}
