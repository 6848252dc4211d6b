import { INDEX_SERVES } from '../../facts/freshness.ts'
import type { DailyBar } from '../../market/bar.ts'
import { session as sessionOf } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import { type Macro, type MacroLevel, type QuotedIndex, quotedIndices } from '../../market/macro.ts'
import { type MacroSeries, type MacroSeriesName, macroSeries, publishedBars } from '../../market/macro-series.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import { contextChain } from './context-chains.ts'
import type { Input } from './input.ts'
import { ifReadable, type MarketReadings, together } from './market-reader.ts'

const tickers = {
  vix: 'VIX',
  vix9d: 'VIX9D',
  vix3m: 'VIX3M',
  vix6m: 'VIX6M',
  vvix: 'VVIX',
  skew: 'SKEW',
  spx: 'SPX'
} as Readonly<Record<QuotedIndex, Ticker>>

const seriesNames = Object.keys(macroSeries) as readonly MacroSeriesName[]

type MacroReadings = Pick<MarketReadings, 'chain' | 'closing' | 'bars'>
type Levels = Readonly<Record<string, MacroLevel | undefined>>

/**
 * Macro data now, or at the close of a past session. Never fails a response: unavailable values are absent. Indexes are
 * as quoted; rates, spreads, the MOVE index and fear and greed are the newest published values.
 */
export const macro: Input<Macro> = {
  kind: 'market',
  moves: true,
  find: ({ market, request, session }) => macroOf(market, request.maxAge, session),
  version: (found) => JSON.stringify(found)
}

export function macroOf(market: MacroReadings, maxAge: number, session: IsoDate | undefined): Macro {
  const quoted = quotedIndices.map((index) => [index, () => levelOf(tickers[index], market, maxAge, session)] as const)
  const stated = seriesNames.map((name) => [name, () => statedLevel(macroSeries[name], market, session)] as const)
  const found: Levels = Object.fromEntries(
    together([...quoted, ...stated], ([name, level]) => [name, level()] as const)
  )
  const { tenYear, highYieldSpread, fedFunds, fearAndGreed, ...levels } = found
  return {
    levels: Object.fromEntries(Object.entries(levels).filter(([, level]) => level !== undefined)),
    tenYear: tenYear?.value,
    highYieldSpread: highYieldSpread?.value,
    fedFunds: fedFunds?.value,
    fearAndGreed: fearAndGreed?.value
  }
}

/** Newest value of a macro series published by now, or by the close of a past session, and the value before it. */
function statedLevel(
  { symbol }: MacroSeries,
  market: MacroReadings,
  session: IsoDate | undefined
): MacroLevel | undefined {
  const all = ifReadable(() => market.bars(symbol)) ?? []
  const close = session && sessionOf(session)?.close
  const out = close === undefined ? all : publishedBars(all, symbol, close)
  const newest = out.at(-1)
  return newest && { value: newest.close, previous: out.at(-2)?.close }
}

function levelOf(
  index: Ticker,
  market: MacroReadings,
  maxAge: number,
  session: IsoDate | undefined
): MacroLevel | undefined {
  const chain = contextChain(index, market, Math.max(INDEX_SERVES, maxAge), session)
  if (chain === undefined) return undefined
  const bars = ifReadable(() => market.bars(index)) ?? []
  return { value: chain.spot, previous: closeBefore(bars, easternDate(chain.asOf)) }
}

/** Last close strictly before a date; bars ascend. */
function closeBefore(bars: readonly DailyBar[], date: IsoDate): number | undefined {
  return bars.findLast((bar) => bar.date < date)?.close
}
