import type { Catalogue } from '../api/inputs/catalogue.ts'
import type { UniverseSymbol } from '../connectors/port/connector.ts'
import type { ChainHeader } from '../market/chain.ts'
import { parentOfRoot } from '../market/security.ts'
import type { Instant, Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'

/** A held chain, and when the source was asked for it, wall clock. */
export interface LoadedChain {
  readonly chain: PricedChain
  readonly observedAt: Instant
  /** Whether it is twice as old as it should become. */
  readonly late: boolean
}

interface Held {
  readonly tickers: readonly Ticker[]
  /** In the operator's order. */
  readonly universe: readonly UniverseSymbol[]
  /** Requested symbols and roots. */
  readonly asked: Iterable<Ticker>
  readonly held: readonly LoadedChain[]
  readonly isStale: (chain: ChainHeader) => boolean
  /** Wall clock. */
  readonly now: Instant
}

/**
 * The symbols that are kept warm. A weekly root is kept warm by its index; the first mention of a symbol decides its
 * tier.
 */
export function heldUniverse(listed: readonly UniverseSymbol[]): ReadonlyMap<Ticker, UniverseSymbol> {
  const universe = new Map<Ticker, UniverseSymbol>()
  for (const one of listed) {
    const symbol = parentOfRoot(one.symbol) ?? one.symbol
    if (!universe.has(symbol)) universe.set(symbol, one)
  }
  return universe
}

/** The catalogue of the symbols that are held, requested or kept warm. */
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
