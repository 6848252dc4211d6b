import { memoize } from '../../market/memoize.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { minutesToSettlement, monthOf } from '../model-free.ts'
import { MINUTES_PER_YEAR } from '../vix.ts'
import { smileQuality } from './quality.ts'
import type { MarketSmile } from './smile.ts'
import { marketSurface } from './surface.ts'
import { replicatedVariance } from './variance.ts'

/** The variance of one market smile, its tails included. */
export interface WholeVariance {
  /** Percent a year of 525,600 minutes, as the strip of the same quotes has it. */
  readonly volatility: number
  /** The share of the variance from strikes beyond the outermost quotes with both sides, 0 to 1. */
  readonly beyond: number
}

/** The variances of the market smiles of a chain, the tails that no strike is listed in included. */
export interface MarketVariances {
  readonly of: ReadonlyMap<MarketSmile, WholeVariance>
  /** Over the next 30 days, percent: between the terms that the month of the strips lies between. */
  readonly month: number | undefined
}

/**
 * What the strips of `modelFreeVolatility` would say if strikes were listed without end: the same options weighed the same
 * way, at the prices of the market smile. Source: variance.ts; terms and minutes are those of the strips.
 */
export const marketVariances = memoize((chain: PricedChain): MarketVariances => {
  const of = new Map<MarketSmile, WholeVariance>()
  const listings = marketSurface(chain).smiles.flatMap((smile) => {
    if (smile === undefined) return []
    const { from, to } = smileQuality(chain, smile)
    const { total, beyond } = replicatedVariance(smile, [from, to])
    const minutes = minutesToSettlement(chain, smile.at)
    of.set(smile, { volatility: 100 * Math.sqrt((total * MINUTES_PER_YEAR) / minutes), beyond: beyond / total })
    return [{ date: smile.date, settlement: chain.expirations[smile.at].settlement, minutes, total }]
  })
  return { of, month: monthOf(listings) }
})
