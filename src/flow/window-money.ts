import { dollars } from './dollars.ts'
import type { WindowTotals } from './views.ts'

/** What a symbol traded in a window, USD. */
export interface WindowMoney {
  /** Price a share over the prints that may set one, not rounded; undefined without such a print. */
  readonly vwap: number | undefined
  readonly notional: number
  /** Contracts or shares bought less those sold, at that price; 0 without one. */
  readonly net: number
}

/** `multiplier`: shares that one contract or share stands for. */
export function windowMoney(totals: WindowTotals, multiplier: number): WindowMoney {
  const { money, pricedSize, bought, sold, unit } = totals
  const notional = dollars(multiplier * money, unit)
  if (pricedSize === 0) return { vwap: undefined, notional, net: 0 }
  return { vwap: dollars(money / pricedSize, unit), notional, net: (notional * (bought - sold)) / pricedSize }
}
