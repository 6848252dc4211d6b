import { BUY, NO_PRICE, type PrintColumns, SELL, SETS_NO_PRICE, sideOf } from '../../market/print.ts'
import type { ColumnsOf } from '../columns.ts'

/** Columns of buckets. A bucket holds the sums and extremes of the prints in one period, as whole numbers. */
export const bucketKinds = {
  bought: Float64Array,
  sold: Float64Array,
  other: Float64Array,
  trades: Int32Array,
  biggest: Int32Array,
  biggestAt: Float64Array,
  newest: Float64Array,
  money: Float64Array,
  pricedSize: Float64Array,
  boughtMoney: Float64Array,
  soldMoney: Float64Array,
  high: Int32Array,
  low: Int32Array,
  open: Int32Array,
  close: Int32Array
} as const

export const bucketStateKinds = { ...bucketKinds, openAt: Float64Array, closeAt: Float64Array } as const

export type Buckets = ColumnsOf<typeof bucketStateKinds>

export function beginBucket(buckets: Buckets, row: number): void {
  buckets.bought[row] = 0
  buckets.sold[row] = 0
  buckets.other[row] = 0
  buckets.trades[row] = 0
  buckets.money[row] = 0
  buckets.pricedSize[row] = 0
  buckets.boughtMoney[row] = 0
  buckets.soldMoney[row] = 0
  beginExtremes(buckets, row)
}

export function countPrint(buckets: Buckets, row: number, prints: PrintColumns, at: number): void {
  addSums(buckets, row, prints, at, 1)
  noteExtremes(buckets, row, prints, at)
}

/**
 * Subtracts a print from a bucket. Returns whether the print may have been one of the bucket's extremes (high, low,
 * open, close, biggest, newest). If so, the extremes are cleared, and the caller must call `noteExtremes` and
 * `noteEnds` for every remaining print of the bucket.
 */
export function takeBack(buckets: Buckets, row: number, prints: PrintColumns, at: number): boolean {
  const isExtreme =
    prints.size[at] === buckets.biggest[row] ||
    prints.price[at] === buckets.high[row] ||
    prints.price[at] === buckets.low[row] ||
    [buckets.newest[row], buckets.openAt[row], buckets.closeAt[row]].includes(prints.ts[at])
  addSums(buckets, row, prints, at, -1)
  if (isExtreme) beginExtremes(buckets, row)
  return isExtreme
}

const setsPrice = (prints: PrintColumns, at: number) =>
  (prints.flags[at] & SETS_NO_PRICE) === 0 && prints.price[at] !== NO_PRICE

function addSums(buckets: Buckets, row: number, prints: PrintColumns, at: number, sign: number): void {
  const size = sign * prints.size[at]
  const side = sideOf(prints.judged[at])
  const sum = side === BUY ? buckets.bought : side === SELL ? buckets.sold : buckets.other
  sum[row] += size
  buckets.trades[row] += sign
  if (!setsPrice(prints, at)) return
  const money = prints.price[at] * size
  buckets.money[row] += money
  buckets.pricedSize[row] += size
  if (side === BUY) buckets.boughtMoney[row] += money
  else if (side === SELL) buckets.soldMoney[row] += money
}

function beginExtremes(buckets: Buckets, row: number): void {
  buckets.biggest[row] = 0
  buckets.biggestAt[row] = Number.NEGATIVE_INFINITY
  buckets.newest[row] = Number.NEGATIVE_INFINITY
  buckets.high[row] = NO_PRICE
  buckets.low[row] = NO_PRICE
  buckets.open[row] = NO_PRICE
  buckets.close[row] = NO_PRICE
  buckets.openAt[row] = Number.POSITIVE_INFINITY
  buckets.closeAt[row] = Number.NEGATIVE_INFINITY
}

export function noteExtremes(buckets: Buckets, row: number, prints: PrintColumns, at: number): void {
  const ts = prints.ts[at]
  const size = prints.size[at]
  const biggest = buckets.biggest[row]
  if (size > biggest || (size === biggest && ts > buckets.biggestAt[row])) {
    buckets.biggest[row] = size
    buckets.biggestAt[row] = ts
  }
  if (ts > buckets.newest[row]) buckets.newest[row] = ts
  if (!setsPrice(prints, at)) return
  const price = prints.price[at]
  if (price > buckets.high[row]) buckets.high[row] = price
  if (price < buckets.low[row] || buckets.low[row] === NO_PRICE) buckets.low[row] = price
}

/**
 * Updates the open and close of a bucket with a print. Of prints with equal times, the first on the tape gives the open
 * and the last gives the close.
 */
export function noteEnds(buckets: Buckets, row: number, prints: PrintColumns, at: number): void {
  if (!setsPrice(prints, at)) return
  const ts = prints.ts[at]
  const price = prints.price[at]
  if (ts < buckets.openAt[row]) {
    buckets.openAt[row] = ts
    buckets.open[row] = price
  }
  if (ts >= buckets.closeAt[row]) {
    buckets.closeAt[row] = ts
    buckets.close[row] = price
  }
}
