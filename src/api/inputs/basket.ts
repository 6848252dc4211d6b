import type { DailyBar } from '../../market/bar.ts'
import { easternDate } from '../../market/eastern.ts'
import type { Ticker } from '../../market/units.ts'
import { versionOf } from '../../market/versions.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { newestBars } from './daily-history.ts'
import type { Input } from './input.ts'
import { together } from './market-reader.ts'

/** Chains of the symbols of a basket, without unknown symbols. */
export const chains: Input<ReadonlyMap<Ticker, PricedChain>> = {
  kind: 'market',
  moves: true,
  subject: 'basket',
  find: (context) => context.chains,
  version: (found) => [...found.values()].map(versionOf).join(),
  dates: (found) => [...found.values()],
  symbol: (found) => found.keys().next().value,
  pack: (found, refOf) => new Map([...found].map(([symbol, chain]) => [symbol, refOf(chain)])),
  unpack: (packed, chainOf) =>
    new Map([...(packed as ReadonlyMap<Ticker, unknown>)].map(([symbol, ref]) => [symbol, chainOf(ref)]))
}

export const histories: Input<ReadonlyMap<Ticker, readonly DailyBar[]>> = {
  kind: 'market',
  moves: false,
  find({ chains, market, request: { source }, endpoint, params }) {
    const symbols = [...chains.keys()]
    const today = easternDate(source.now())
    const bars = together(symbols, (symbol) => market.bars(symbol))
    const newest = (bars: readonly DailyBar[]) => newestBars(bars, today, endpoint.barsRead(params as never))
    return new Map(symbols.map((symbol, k) => [symbol, newest(bars[k])]))
  },
  version: (found) => [...found.values()].map(versionOf).join()
}
