import type { IsoDate } from '../../src/market/units.ts'
import type { PricedChain } from '../../src/pricing/price-chain.ts'
import { type Slice, slices } from '../../src/volatility/smile/slice.ts'
import { type ChainSketch, ladder, type SeriesSketch, sketched } from '../support/hand-made.ts'
import { priced } from '../support/markets.ts'

/** A leaning, bending smile around 100. */
export const leaning = (strike: number) => 0.2 - 0.25 * Math.log(strike / 100) + 0.5 * Math.log(strike / 100) ** 2

/** An expiration with strikes enough for a fit. */
export const series = (date: string, change: Partial<SeriesSketch> = {}): SeriesSketch => ({
  date,
  strikes: ladder(70, 130, 1),
  sigma: leaning,
  ...change
})

/** A chain made by hand, on Wednesday 2026-07-29 at 11:00 with the underlying at 100, priced. */
export function chainOf(list: readonly SeriesSketch[], change: Partial<ChainSketch> = {}): PricedChain {
  return priced(sketched({ date: '2026-07-29', time: '11:00', spot: 100, series: list, ...change }))
}

/** The slice of one expiration date. */
export function sliceOn(chain: PricedChain, date: string): Slice {
  return slices(chain).find((slice) => slice.date === (date as IsoDate))!
}

/** Leaves only the contracts quoted for which `keep` says so. */
export const quotedWhere = (keep: (strike: number, right: number) => boolean) => (strike: number, right: number) =>
  keep(strike, right) ? undefined : ([Number.NaN, Number.NaN] as const)
