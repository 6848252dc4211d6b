import { NO_PRICE, PRICE_UNIT } from '../market/print.ts'
import type { Instant, IsoDate } from '../market/units.ts'
import type { MinuteBuckets, SecondBars } from './views.ts'

/**
 * Sums over a stretch of time, all of them whole numbers. Prices are in units of 1/10000 USD, whatever the unit of the
 * tape is, and money is price times size; undefined where no print may set a price. What opens and closes is known of one
 * series of times alone: on a stock tape.
 */
export interface Bucket {
  readonly start: Instant
  readonly bought: number
  readonly sold: number
  readonly other: number
  readonly trades: number
  readonly biggest: number
  readonly money: number
  readonly pricedSize: number
  readonly boughtMoney: number
  readonly soldMoney: number
  readonly high: number | undefined
  readonly low: number | undefined
  readonly open: number | undefined
  readonly close: number | undefined
}

/** From the beginning of the first stretch to that of the last, both included. */
export interface Window {
  readonly from: Instant
  readonly to: Instant
}

/** The minutes of a window that have a print, over all expirations or of one date, ascending. Views by session. */
export function minuteBuckets(views: readonly MinuteBuckets[], window: Window, expiry?: IsoDate): readonly Bucket[] {
  const rows = views.flatMap((view) => {
    const { minute, expiration, expirations } = view
    const isAsked = (row: number) => expiry === undefined || expirations[expiration[row]].date === expiry
    return rowsWithin(view, minute, window, isAsked)
  })
  return merged(rows, (start) => start)
}

/** The seconds of a window that have a print, ascending. */
export function secondBuckets(view: SecondBars, window: Window): readonly Bucket[] {
  return rowsWithin(view, view.second, window, () => true)
}

/** Buckets that begin in one stretch as one, by the beginning of the stretch, ascending. */
export function merged(buckets: readonly Bucket[], stretchOf: (start: Instant) => Instant): readonly Bucket[] {
  const byStart = new Map<Instant, Sum>()
  for (const bucket of buckets) {
    const start = stretchOf(bucket.start)
    const sum = byStart.get(start)
    if (sum === undefined) byStart.set(start, { ...bucket, start })
    else add(sum, bucket)
  }
  return [...byStart.values()].sort((a, b) => a.start - b.start)
}

function rowsWithin(
  view: Omit<SecondBars, 'second'>,
  starts: Float64Array,
  { from, to }: Window,
  isAsked: (row: number) => boolean
): Bucket[] {
  const scale = Math.round(view.unit / PRICE_UNIT)
  const rows: Bucket[] = []
  for (let row = 0; row < view.length; row++) {
    if (starts[row] < from || starts[row] > to || !isAsked(row)) continue
    rows.push({
      start: starts[row],
      bought: view.bought[row],
      sold: view.sold[row],
      other: view.other[row],
      trades: view.trades[row],
      biggest: view.biggest[row],
      money: scale * view.money[row],
      pricedSize: view.pricedSize[row],
      boughtMoney: scale * view.boughtMoney[row],
      soldMoney: scale * view.soldMoney[row],
      high: priceOf(view.high[row], scale),
      low: priceOf(view.low[row], scale),
      open: priceOf(view.open[row], scale),
      close: priceOf(view.close[row], scale)
    })
  }
  return rows
}

const priceOf = (price: number, scale: number) => (price === NO_PRICE ? undefined : scale * price)

/** A bucket in the making. */
type Sum = { -readonly [Name in keyof Bucket]: Bucket[Name] }

/** Adds a bucket that begins no earlier. */
function add(sum: Sum, bucket: Bucket): void {
  sum.bought += bucket.bought
  sum.sold += bucket.sold
  sum.other += bucket.other
  sum.trades += bucket.trades
  sum.biggest = Math.max(sum.biggest, bucket.biggest)
  sum.money += bucket.money
  sum.pricedSize += bucket.pricedSize
  sum.boughtMoney += bucket.boughtMoney
  sum.soldMoney += bucket.soldMoney
  sum.high = extreme(Math.max, sum.high, bucket.high)
  sum.low = extreme(Math.min, sum.low, bucket.low)
  sum.open ??= bucket.open
  sum.close = bucket.close ?? sum.close
}

function extreme(
  of: (a: number, b: number) => number,
  a: number | undefined,
  b: number | undefined
): number | undefined {
  return a === undefined ? b : b === undefined ? a : of(a, b)
}
