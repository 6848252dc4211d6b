import type { WindowTotals } from '../tape-views.ts'
import { type WindowMoney, windowMoney } from './window-totals.ts'

export interface Leader {
  readonly totals: WindowTotals
  readonly money: WindowMoney & { readonly vwap: number }
}

/**
 * The symbols with the most net money bought, and the symbols with the most net money sold: at most `count` of each.
 * Equal ones are ordered by symbol. A symbol without a price, or with net money 0, is in neither list.
 */
export function leaders(
  windows: readonly WindowTotals[],
  { multiplier, count }: { readonly multiplier: number; readonly count: number }
): { readonly buyers: readonly Leader[]; readonly sellers: readonly Leader[] } {
  const priced = windows.flatMap((totals): Leader[] => {
    const { vwap, ...money } = windowMoney(totals, multiplier)
    return vwap === undefined ? [] : [{ totals, money: { vwap, ...money } }]
  })
  const most = (sign: number) =>
    priced
      .filter(({ money }) => sign * money.net > 0)
      .sort((a, b) => sign * (b.money.net - a.money.net) || bySymbol(a, b))
      .slice(0, count)
  return { buyers: most(1), sellers: most(-1) }
}

export function bySymbol(a: { readonly totals: WindowTotals }, b: { readonly totals: WindowTotals }): number {
  return a.totals.symbol < b.totals.symbol ? -1 : 1
}
