import type { PricedChain } from '../../pricing/price-chain.ts'
import { outOfTheMoneyValue } from '../variance/variance-swap.ts'
import { probabilityAbove, probabilityBelow } from './distribution.ts'
import { quoteIntervals } from './quote-intervals.ts'
import { type MarketSmile, totalVarianceAt } from './smile-curve.ts'

export interface SmileQuality {
  /** Number of out-of-the-money quotes that have both bid and ask. */
  readonly quotes: number
  /** Fraction of these quotes for which the smile's price lies between bid and ask. */
  readonly inside: number
  /** `from` is ln(K / F) of the lowest of these quotes, `to` of the highest. */
  readonly from: number
  readonly to: number
  /**
   * Risk-neutral probability, 0 to 1, that the price at expiry lies beyond the outermost of these quotes. It depends on
   * how the smile is extrapolated.
   */
  readonly beyond: number
}

/** A price this far outside its quote, USD, still counts as inside, because of rounding. */
const ROUNDING = 1e-9

/** Compares the prices of a market smile with the quotes of its expiration. */
export function smileQuality(chain: PricedChain, smile: MarketSmile): SmileQuality {
  const { size, k, prices } = quoteIntervals(chain, smile.at)
  const { forward, discount } = chain.carries[smile.at]
  let [quotes, inside] = [0, 0]
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let i = 0; i < size; i++) {
    if (!(prices.bid[i] > 0)) continue
    quotes++
    from = Math.min(from, k[i])
    to = Math.max(to, k[i])
    const price = discount * forward * outOfTheMoneyValue(k[i], totalVarianceAt(smile, k[i]))
    if (price >= prices.bid[i] - ROUNDING && price <= prices.ask[i] + ROUNDING) inside++
  }
  const beyond = probabilityBelow(smile, from) + probabilityAbove(smile, to)
  return { quotes, inside: inside / quotes, from, to, beyond }
}
