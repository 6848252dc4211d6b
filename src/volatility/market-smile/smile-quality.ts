import type { PricedChain } from '../../pricing/price-chain.ts'
import { outOfTheMoneyValue } from '../variance/variance-swap.ts'
import { probabilityAbove, probabilityBelow } from './distribution.ts'
import { quoteIntervals } from './quote-intervals.ts'
import { type MarketSmile, totalVarianceAt } from './smile-curve.ts'

/** How much of a smile its quotes say. */
export interface SmileQuality {
  /** Out-of-the-money quotes with both sides. */
  readonly quotes: number
  /** The share of them whose bid and ask hold the price of the smile, 0 to 1. */
  readonly inside: number
  /** ln(K / F) of the lowest and the highest of them. */
  readonly from: number
  readonly to: number
  /** Risk-neutral probability of an end beyond them, 0 to 1: it rests on extrapolation. */
  readonly beyond: number
}

/** A share of USD by which a price may miss its quote for the rounding of doubles. */
const ROUNDING = 1e-9

/** How well a market smile of a chain keeps to the quotes of its listing, and how far they reach. */
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
