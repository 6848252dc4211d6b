import type { Instant, Ticker } from '../../market/units.ts'
import { dollars } from '../print-rules.ts'
import type { MinuteBuckets, WindowTotals } from '../tape-views.ts'

/**
 * Sums of one symbol's minutes since `from`, over all expirations; undefined without a print. Sessions must be in
 * ascending order. If several prints are equally big, the newest is the biggest.
 */
export function windowTotals(
  symbol: Ticker,
  sessions: readonly MinuteBuckets[],
  from: Instant
): WindowTotals | undefined {
  const sums = { bought: 0, sold: 0, other: 0, trades: 0, money: 0, pricedSize: 0 }
  let biggest = 0
  let biggestAt = Number.NaN
  let newest = Number.NEGATIVE_INFINITY
  let lastMinute = Number.NaN
  let [lastMoney, lastPricedSize] = [0, 0]
  for (const buckets of sessions) {
    for (let k = 0; k < buckets.length; k++) {
      if (buckets.minute[k] < from) continue
      sums.bought += buckets.bought[k]
      sums.sold += buckets.sold[k]
      sums.other += buckets.other[k]
      sums.trades += buckets.trades[k]
      sums.money += buckets.money[k]
      sums.pricedSize += buckets.pricedSize[k]
      if (buckets.minute[k] !== lastMinute) {
        lastMinute = buckets.minute[k]
        lastMoney = lastPricedSize = 0
      }
      lastMoney += buckets.money[k]
      lastPricedSize += buckets.pricedSize[k]
      newest = Math.max(newest, buckets.newest[k])
      const isBigger = buckets.biggest[k] > biggest
      if (isBigger || (buckets.biggest[k] === biggest && buckets.biggestAt[k] > biggestAt)) {
        biggest = buckets.biggest[k]
        biggestAt = buckets.biggestAt[k]
      }
    }
  }
  return sums.trades === 0
    ? undefined
    : { symbol, unit: sessions.at(-1)!.unit, ...sums, biggest, biggestAt, newest, lastMoney, lastPricedSize }
}

/** Adds the sums of two consecutive periods; either may have no print. */
export function joinTotals(
  before: WindowTotals | undefined,
  after: WindowTotals | undefined
): WindowTotals | undefined {
  if (before === undefined || after === undefined) return after ?? before
  const { biggest, biggestAt } = before.biggest > after.biggest ? before : after
  return {
    ...after,
    bought: before.bought + after.bought,
    sold: before.sold + after.sold,
    other: before.other + after.other,
    trades: before.trades + after.trades,
    money: before.money + after.money,
    pricedSize: before.pricedSize + after.pricedSize,
    biggest,
    biggestAt
  }
}

export interface WindowMoney {
  /**
   * Volume-weighted price per share over the prints that may set a price, not rounded; undefined without such a print.
   */
  readonly vwap: number | undefined
  readonly notional: number
  /**
   * Contracts or shares that were bought minus those that were sold, times the price `vwap`; 0 if there is no such
   * price.
   */
  readonly net: number
}

/** Computes the money of a window; `multiplier` is the number of shares per contract or share. */
export function windowMoney(totals: WindowTotals, multiplier: number): WindowMoney {
  const { money, pricedSize, bought, sold, unit } = totals
  const notional = dollars(multiplier * money, unit)
  if (pricedSize === 0) return { vwap: undefined, notional, net: 0 }
  return { vwap: dollars(money / pricedSize, unit), notional, net: (notional * (bought - sold)) / pricedSize }
}
