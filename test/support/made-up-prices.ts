import type { PastPrices, PricesRequest } from '../../src/api/inputs/past-prices.ts'
import { headerOf } from '../../src/market/chain.ts'
import { easternDate } from '../../src/market/eastern.ts'
import { sampleColumns } from '../../src/market/figure-row.ts'
import { madeUpFigures } from './made-up-figures.ts'
import type { Market } from './markets.ts'

/** BarPrices over time of a market: its daily bars within the period, and one sampled row at its moment. */
export function madeUpPrices({ chain, bars = [] }: Market, { figures, days }: PricesRequest): PastPrices {
  const found = madeUpFigures(chain, figures)
  const samples = { first: chain.spot, high: chain.spot, low: chain.spot, last: chain.spot, samples: 2, imported: 0 }
  const sampled = sampleColumns.map((name) => Float64Array.from(found.t, () => samples[name]))
  const today = easternDate(chain.asOf)
  return {
    asOf: chain.asOf,
    quote: headerOf(chain),
    days: days === undefined ? [] : bars.filter(({ date }) => date >= days.from && date <= days.to && date < today),
    figures: { ...found, columns: [...found.columns, ...sampled] },
    prints: [],
    generated: []
  }
}
