import { CALL, type Chain } from '../../market/chain.ts'
import { isLive } from '../../market/clock.ts'
import { memoize, memoizeBy } from '../../market/memoize.ts'
import { fillAmericanVolatilities } from '../../pricing/american/american-volatility.ts'
import { fillPremiums } from '../../pricing/american/early-exercise.ts'
import { quotedPairs } from '../../pricing/american/forward/quoted-pairs.ts'
import { shownPremium } from '../../pricing/american/forward/weighted-forward.ts'
import { premiumTablesOf } from '../../pricing/by-exercise.ts'
import { type ForwardTerms, impliedVolatilities } from '../../pricing/implied-volatility.ts'
import { logMoneyness } from '../../pricing/log-moneyness.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'

/**
 * Prices of the out-of-the-money options of one expiration, USD per share, with the value of early exercise removed.
 * Ascending by strike: puts below the forward, calls from the forward on.
 */
export interface Prices {
  readonly size: number
  readonly strike: Float64Array
  /** Right of each contract: CALL or PUT. */
  readonly right: Uint8Array
  /** Bid prices; 0 if there is no bid. */
  readonly bid: Float64Array
  readonly ask: Float64Array
}

/**
 * Quotes of one expiration, converted to intervals of total variance (volatility squared times years). Columns ascend
 * in k.
 */
export interface QuoteIntervals {
  readonly size: number
  /** ln(K / F). */
  readonly k: Float64Array
  /**
   * Total variance at three prices: at the bid less half a tick (`low`), at the mid, and at the ask plus half a tick
   * (`high`). Without a bid, `low` and `mid` are NaN.
   */
  readonly low: Float64Array
  readonly mid: Float64Array
  readonly high: Float64Array
  /** The prices from which the intervals were computed, one for each interval. */
  readonly prices: Prices
  readonly twoSided: number
}

/** Tick sizes of a chain's options, USD: for prices below 3.00 (`below3`), and from 3.00 on (`from3`). */
export interface Ticks {
  readonly below3: number
  readonly from3: number
}

/** Price, USD, from which options have the larger tick. */
const LARGE_PRICE = 3
/** Fraction of the prices that may be off the tick without ruling it out. */
const STRAY = 0.01

/**
 * Determines the tick sizes of a chain: the largest increments of which its quotes are multiples. Some options are
 * quoted in steps of 0.01, others in steps of 0.05 and 0.10.
 */
export const ticksOf = memoize(
  (chain: Chain): Ticks => ({
    below3: keepsTo(chain, 0.05, 0, LARGE_PRICE) ? 0.05 : 0.01,
    from3: keepsTo(chain, 0.05, LARGE_PRICE, Number.POSITIVE_INFINITY)
      ? keepsTo(chain, 0.1, LARGE_PRICE, Number.POSITIVE_INFINITY)
        ? 0.1
        : 0.05
      : 0.01
  })
)

function keepsTo({ size, bid, ask }: Chain, tick: number, from: number, to: number): boolean {
  const perTick = 1 / tick
  let [count, stray] = [0, 0]
  for (const column of [bid, ask]) {
    for (let i = 0; i < size; i++) {
      const price = column[i]
      if (!(price > 0 && price >= from && price < to)) continue
      count++
      const ticks = price * perTick
      if (Math.abs(ticks - Math.round(ticks)) > 1e-6 * ticks + 1e-9) stray++
    }
  }
  return stray <= STRAY * count
}

/**
 * Quote intervals of the expiration with index `at`; empty if it is past. Wide quotes become wide intervals instead of
 * being left out. Quotes without an ask, or with a bid above the ask, are left out.
 */
export const quoteIntervals = memoizeBy((chain: PricedChain, at: number): QuoteIntervals => {
  const { date, settlement } = chain.expirations[at]
  const prices = isLive(chain.asOf, date, settlement) ? outOfTheMoneyPrices(chain, at) : pricesFor(0)
  return intervalsOf(chain.carries[at], prices, ticksOf(chain))
})

/** Prices to which a market smile is fitted: out-of-the-money quotes less the value of early exercise. */
function outOfTheMoneyPrices(chain: PricedChain, at: number): Prices {
  const { start, end } = chain.expirations[at]
  const { forward } = chain.carries[at]
  const prices = pricesFor(end - start)
  let size = 0
  for (let i = start; i < end; i++) {
    if ((chain.right[i] === CALL) !== chain.strike[i] >= forward) continue
    // A missing bid is treated as a bid of 0: nobody buys.
    const bid = chain.bid[i] > 0 ? chain.bid[i] : 0
    const ask = chain.ask[i]
    if (!(ask > 0 && ask >= bid)) continue
    prices.strike[size] = chain.strike[i]
    prices.right[size] = chain.right[i]
    prices.bid[size] = bid
    prices.ask[size++] = ask
  }
  takeOffEarlyExercise(chain, at, prices, size)
  return { ...prices, size }
}

/**
 * Converts American prices into European ones by subtracting the early-exercise premium. The premium is computed at the
 * volatility of the mid, or of the ask if there is no bid. With a skewed smile it is too large: by a tenth, or more
 * beyond a year. So only a part is subtracted, the part that makes calls and puts near the forward agree.
 */
function takeOffEarlyExercise(chain: PricedChain, at: number, { strike, right, bid, ask }: Prices, size: number): void {
  const carry = chain.carries[at]
  const tables = premiumTablesOf(carry)
  if (tables === undefined) return
  const part = shownPremium(carry, tables, quotedPairs(chain, chain.expirations[at]))
  const price = new Float64Array(size)
  for (let i = 0; i < size; i++) price[i] = bid[i] > 0 ? (bid[i] + ask[i]) / 2 : ask[i]
  const sigma = new Float64Array(size)
  // Contracts that no table covers are far from all informative quotes and are not exercised early.
  fillAmericanVolatilities(carry, tables, strike, right, price, 0, size, sigma, 'none')
  const premium = new Float64Array(size)
  fillPremiums(carry, tables, strike, right, sigma, 0, size, premium, 'edge')
  for (let i = 0; i < size; i++) {
    if (!(premium[i] > 0)) continue
    bid[i] = Math.max(bid[i] - part * premium[i], 0)
    ask[i] -= part * premium[i]
  }
}

function pricesFor(size: number): Prices {
  const column = () => new Float64Array(size)
  return { size: 0, strike: column(), right: new Uint8Array(size), bid: column(), ask: column() }
}

/**
 * Converts prices to intervals of total variance. Each interval is wider by half a tick on both sides, because quotes
 * are rounded to ticks. A bid below one tick is halved instead, so that it stays above 0. Prices above their upper
 * bound imply no volatility and are left out.
 */
export function intervalsOf(terms: ForwardTerms, prices: Prices, { below3, from3 }: Ticks): QuoteIntervals {
  const { size, strike, right, bid, ask } = prices
  const price = new Float64Array(size)
  const variances = (priceOf: (bid: number, ask: number) => number) => {
    const out = new Float64Array(size)
    for (let i = 0; i < size; i++) price[i] = priceOf(bid[i], ask[i])
    impliedVolatilities(terms, strike, right, price, 0, size, out)
    for (let i = 0; i < size; i++) out[i] = out[i] * out[i] * terms.t
    return out
  }
  const half = (quoted: number) => (quoted < LARGE_PRICE ? below3 : from3) / 2
  const low = variances((b) => (b > 0 ? Math.max(b - half(b), b / 2) : Number.NaN))
  const mid = variances((b, a) => (b > 0 ? (b + a) / 2 : Number.NaN))
  const high = variances((_, a) => a + half(a))
  const columns = { strike: strike.slice(0, size), right: right.slice(0, size), bid: bid.slice(0, size) }
  const kept = { ...columns, ask: ask.slice(0, size) }
  const k = new Float64Array(size)
  let [count, twoSided] = [0, 0]
  for (let i = 0; i < size; i++) {
    const hasBid = bid[i] > 0
    if (!(high[i] > 0) || (hasBid && !(low[i] > 0 && mid[i] > 0))) continue
    k[count] = -logMoneyness(terms.forward, strike[i])
    for (const column of [low, mid, high]) column[count] = column[i]
    kept.strike[count] = strike[i]
    kept.right[count] = right[i]
    kept.bid[count] = bid[i]
    kept.ask[count++] = ask[i]
    if (hasBid) twoSided++
  }
  return { size: count, k, low, mid, high, prices: { ...kept, size: count }, twoSided }
}
