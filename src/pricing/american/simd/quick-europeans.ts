import { excess, moneyness, slot, upper, vega } from '../contract-block.ts'
import type { EuropeanTerms } from '../european-block.ts'
import { volatility } from '../premium-block.ts'
import { gridKernels } from './grid-kernels.ts'

/** `fillPlainEuropeans` in WebAssembly. */
export function fillQuickEuropeans(
  { sign, rootT, spotPart, discount }: EuropeanTerms,
  strike: Float64Array,
  price: Float64Array,
  count: number,
  first: boolean
): void {
  const { columns, fillEuropeans } = gridKernels()
  columns.volatility.set(volatility)
  columns.moneyness.set(moneyness)
  if (first) columns.upper.set(upper)
  for (let q = 0; q < count; q++) {
    columns.strike[q] = strike[slot[q]]
    columns.price[q] = price[slot[q]]
  }
  fillEuropeans(count, sign, spotPart, discount, rootT, first)
  excess.set(columns.excess)
  vega.set(columns.vega)
}
