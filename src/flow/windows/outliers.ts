import type { WindowTotals } from '../tape-views.ts'
import { bySymbol } from './leaders.ts'
import { type WindowMoney, windowMoney } from './window-totals.ts'

export const skews = ['STRONG_SELL', 'SELL', 'MILD_SELL', 'FLAT', 'MILD_BUY', 'BUY', 'STRONG_BUY'] as const
export type FlowSkew = (typeof skews)[number]

/** A symbol and how one-sided the flow in its window was. */
export interface Outlier {
  readonly totals: WindowTotals
  readonly money: WindowMoney
  /** Net volume, without its sign, as a percentage of the volume whose side is known. */
  readonly imbalance: number
  readonly skew: FlowSkew
}

export interface Outliers {
  readonly tracked: number
  /** Number of symbols with enough trades and with volume whose side is known. */
  readonly qualified: number
  /** Symbols ordered by net money, bought or sold, the most first. Equal ones are ordered by symbol. */
  readonly outliers: readonly Outlier[]
}

export interface OutlierTerms {
  readonly multiplier: number
  readonly count: number
  readonly minTrades: number
}

export function outliers(windows: readonly WindowTotals[], { multiplier, count, minTrades }: OutlierTerms): Outliers {
  const tracked = windows.filter(({ trades }) => trades > 0)
  const qualified = tracked.filter(({ trades, bought, sold }) => trades >= minTrades && bought + sold > 0)
  const rated = qualified.map((totals): Outlier => {
    const { bought, sold } = totals
    const tilt = (100 * (bought - sold)) / (bought + sold)
    return { totals, money: windowMoney(totals, multiplier), imbalance: Math.abs(tilt), skew: flowSkew(tilt) }
  })
  const ranked = rated.sort((a, b) => Math.abs(b.money.net) - Math.abs(a.money.net) || bySymbol(a, b))
  return { tracked: tracked.length, qualified: qualified.length, outliers: ranked.slice(0, count) }
}

/**
 * Label for how far volume leans to one side, from -100 (all sold) to 100 (all bought). A label's range includes its
 * lower bound.
 */
export function flowSkew(tilt: number): FlowSkew {
  const size = Math.abs(tilt)
  if (size < 5) return 'FLAT'
  const side = tilt > 0 ? 'BUY' : 'SELL'
  return size < 15 ? `MILD_${side}` : size < 35 ? side : `STRONG_${side}`
}
