import type { Catalogue } from '../api/inputs/catalogue.ts'
import type { UniverseSymbol } from '../connectors/port/connector.ts'
import type { ChainHeader } from '../market/chain.ts'
import { parentOfRoot } from '../market/security.ts'
import type { Instant, Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'

/** A loaded chain, and the wall-clock time at which it was requested from the source. */
export interface LoadedChain {
  readonly chain: PricedChain
  readonly observedAt: Instant
  /** Whether the chain is at least twice as old as its refresh interval, although the source should have newer data. */
  readonly late: boolean
  /** Whether it is the last recorded chain, because the source has given none since the start. */
  readonly isRestored: boolean
}

interface Held {
  readonly tickers: readonly Ticker[]
  readonly universe: readonly UniverseSymbol[]
  /** Symbols and weekly roots (such as SPXW) that clients have requested. */
  readonly asked: Iterable<Ticker>
  readonly held: readonly LoadedChain[]
  readonly isStale: (chain: ChainHeader) => boolean
  readonly now: Instant
}

/**
 * The symbols that are kept loaded, from the operator's list. A weekly root, such as SPXW, is replaced by its index. If
 * a symbol is listed twice, its first entry decides the tier.
 */
export function heldUniverse(listed: readonly UniverseSymbol[]): ReadonlyMap<Ticker, UniverseSymbol> {
  const universe = new Map<Ticker, UniverseSymbol>()
  for (const one of listed) {
    const symbol = parentOfRoot(one.symbol) ?? one.symbol
    if (!universe.has(symbol)) universe.set(symbol, one)
  }
  return universe
}

export function catalogueOf({ tickers, universe, asked, held, isStale, now }: Held): Catalogue {
  const bySymbol = new Map(held.map((loaded) => [loaded.chain.symbol, loaded]))
  const loaded = (symbol: Ticker) => bySymbol.get(parentOfRoot(symbol) ?? symbol)
  const shown = [...asked].filter((symbol) => loaded(symbol) !== undefined).sort()
  const observed = shown.map((symbol) => loaded(symbol)!.observedAt)
  return {
    tickers,
    asked: shown,
    lastUpdated: observed.length === 0 ? undefined : Math.max(...observed),
    held: held
      .map(({ chain, observedAt }) => ({ symbol: chain.symbol, observedAt, stale: isStale(chain) }))
      .sort((a, b) => (a.symbol < b.symbol ? -1 : 1)),
    universe: universe.map(({ symbol, tier }) => {
      const one = loaded(symbol)
      const age = one && (now - one.observedAt) / 1000
      return { symbol, tier, warm: one !== undefined, age, late: one?.late ?? false }
    })
  }
}
