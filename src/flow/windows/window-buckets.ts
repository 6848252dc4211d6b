import { NO_PRICE, PRICE_UNIT } from '../../market/print.ts'
import type { Instant, IsoDate } from '../../market/units.ts'
import { dollars } from '../print-rules.ts'
import type { MinuteBuckets, SecondBars } from '../tape-views.ts'

/**
 * Sums over a period, whole numbers. Prices are in 1/10000 USD whatever the unit of the tape, and undefined if no print
 * of the period may set a price. Money is price times size. Only buckets of stock tapes have open and close.
 */
export interface FlowBucket {
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

/** First and last bucket start of a window, both included. */
export interface Window {
  readonly from: Instant
  readonly to: Instant
}

/**
 * Sums of the minutes in a window that have a print, ascending, over all expirations or over one expiration date.
 * `views` has one view for each session.
 */
export function minuteBuckets(
  views: readonly MinuteBuckets[],
  window: Window,
  expiry?: IsoDate
): readonly FlowBucket[] {
  const rows = views.flatMap((view) => {
    const { minute, expiration, expirations } = view
    const isAsked = (row: number) => expiry === undefined || expirations[expiration[row]].date === expiry
    return rowsWithin(view, minute, window, isAsked)
  })
  return merged(rows, (start) => start)
}

/** Sums of the seconds in a window that have a print, ascending. */
export function secondBuckets(view: SecondBars, window: Window): readonly FlowBucket[] {
  return rowsWithin(view, view.second, window, () => true)
}

/**
 * Joins the buckets of each longer period into one, ascending. `stretchOf` maps a bucket's start to the start of its
 * period.
 */
export function merged(buckets: readonly FlowBucket[], stretchOf: (start: Instant) => Instant): readonly FlowBucket[] {
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
): FlowBucket[] {
  const scale = Math.round(view.unit / PRICE_UNIT)
  const rows: FlowBucket[] = []
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

type Sum = { -readonly [Name in keyof FlowBucket]: FlowBucket[Name] }

/** Adds a bucket to a sum. It must not begin earlier than the buckets already summed. */
function add(sum: Sum, bucket: FlowBucket): void {
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

/** Prices of a bucket, USD; undefined if none of its prints may set a price. */
export function bucketPrices({ money, pricedSize, open, close, high, low }: FlowBucket) {
  return {
    vwap: pricedSize === 0 ? undefined : dollars(money / pricedSize, PRICE_UNIT),
    open: inDollars(open),
    close: inDollars(close),
    high: inDollars(high),
    low: inDollars(low)
  }
}

const inDollars = (price: number | undefined) => (price === undefined ? undefined : dollars(price, PRICE_UNIT))

/** Net volume of each bucket, and the running total of net volume up to its end. */
export function runningNet(buckets: readonly FlowBucket[]) {
  let cumulative = 0
  return buckets.map((bucket) => {
    const net = bucket.bought - bucket.sold
    cumulative += net
    return { bucket, net, cumulative }
  })
}
