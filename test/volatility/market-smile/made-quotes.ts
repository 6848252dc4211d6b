import { CALL, PUT } from '../../../src/market/chain.ts'
import { type FittedListing, fitListings } from '../../../src/volatility/market-smile/market-surface.ts'
import {
  intervalsOf,
  type Prices,
  type QuoteIntervals,
  type Ticks
} from '../../../src/volatility/market-smile/quote-intervals.ts'
import { durrlemanAt, pointAt, reachOf, type SmileCurve } from '../../../src/volatility/market-smile/smile-curve.ts'
import { outOfTheMoneyValue } from '../../../src/volatility/variance/variance-swap.ts'

export const pennies: Ticks = { below3: 0.01, from3: 0.01 }
export const index: Ticks = { below3: 0.05, from3: 0.1 }

export interface Listing {
  readonly forward: number
  readonly discount: number
  readonly t: number
  readonly ticks: Ticks
  readonly strikes: readonly number[]
  /** Half the spread, in ticks; a quote is rounded outward. */
  readonly halfSpread: number
}

/** A listing at 100 for a month with a strike every dollar, quoted in pennies. */
export const month: Listing = {
  forward: 100,
  discount: 0.996,
  t: 1 / 12,
  ticks: pennies,
  strikes: Array.from({ length: 61 }, (_, n) => 70 + n),
  halfSpread: 2
}

/** Undiscounted prices of out-of-the-money options in units of the forward, at k. */
export type PriceOf = (k: number) => number

/** The price of a smile given as total variance. */
export const priced =
  (w: (k: number) => number): PriceOf =>
  (k) =>
    outOfTheMoneyValue(k, w(k))

/** Quotes of a listing: prices rounded outward to ticks, with a bid of 0 if nothing is left. */
export function quoted(listing: Listing, priceOf: PriceOf): Prices {
  const { forward, discount, ticks, strikes, halfSpread } = listing
  const size = strikes.length
  const columns = { strike: Float64Array.from(strikes), right: new Uint8Array(size) }
  const [bid, ask] = [new Float64Array(size), new Float64Array(size)]
  strikes.forEach((strike, i) => {
    columns.right[i] = strike >= forward ? CALL : PUT
    const price = discount * forward * priceOf(Math.log(strike / forward))
    const tick = price < 3 ? ticks.below3 : ticks.from3
    bid[i] = Math.max(0, tick * (Math.floor(price / tick + 1e-9) - (halfSpread - 1)))
    ask[i] = Math.max(tick, tick * (Math.ceil(price / tick - 1e-9) + (halfSpread - 1)))
  })
  return { size, ...columns, bid, ask }
}

/** The quotes as intervals, after `change` of their prices. */
export function intervals(listing: Listing, priceOf: PriceOf, change?: (prices: Prices) => void): QuoteIntervals {
  const prices = quoted(listing, priceOf)
  change?.(prices)
  return intervalsOf(listing, prices, listing.ticks)
}

/** The smile of one listing by itself; undefined where it is refused. */
export function alone(t: number, quotes: QuoteIntervals): SmileCurve | undefined {
  return fitListings([{ t, quotes } satisfies FittedListing])[0].curve
}

/** How many quotes with both sides a curve's prices miss by more than `ticks` ticks. */
export function missed(listing: Listing, { size, k, prices }: QuoteIntervals, curve: SmileCurve, ticks = 0): number {
  const { forward, discount } = listing
  let count = 0
  for (let i = 0; i < size; i++) {
    if (!(prices.bid[i] > 0)) continue
    const price = discount * forward * outOfTheMoneyValue(k[i], pointAt(curve, k[i]).w)
    const slack = ticks * (prices.ask[i] < 3 ? listing.ticks.below3 : listing.ticks.from3) + 1e-9
    if (price < prices.bid[i] - slack || price > prices.ask[i] + slack) count++
  }
  return count
}

/** First fault that a scan, finer than the service's check, finds in a curve; undefined if there is none. */
export function fault(curve: SmileCurve): string | undefined {
  const [from, to] = reachOf(curve)
  for (let n = -300; n <= 1300; n++) {
    const k = from + ((to - from) * n) / 1000
    const { w, slope } = pointAt(curve, k)
    if (!(w > 0)) return `w = ${w} at ${k}`
    const g = durrlemanAt(curve, k)
    if (!(g >= 0)) return `g = ${g} at ${k}`
    if (!(1 - (k * slope) / (2 * w) >= Math.abs(slope) / 4)) return `d1 or d2 rises at ${k}`
  }
  return undefined
}

/**
 * Counts the peaks of a density that exceed the valleys beside them by more than half a percent of the highest peak.
 */
export function modes(density: (k: number) => number, scale: number): number {
  const values = Array.from({ length: 901 }, (_, n) => density(scale * (-10 + n * 0.02)))
  const step = 0.005 * Math.max(...values)
  let [found, rising, turn] = [0, true, 0]
  for (const value of values) {
    if (rising ? value > turn : value < turn) turn = value
    else if (rising && value < turn - step) {
      found++
      rising = false
      turn = value
    } else if (!rising && value > turn + step) {
      rising = true
      turn = value
    }
  }
  return found
}
