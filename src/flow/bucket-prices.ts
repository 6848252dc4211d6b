import { PRICE_UNIT } from '../market/print.ts'
import { dollars } from './dollars.ts'
import type { Bucket } from './window-buckets.ts'

/** The prices of a bucket, USD; undefined where none of its prints may set one. */
export function bucketPrices({ money, pricedSize, open, close, high, low }: Bucket) {
  return {
    vwap: pricedSize === 0 ? undefined : dollars(money / pricedSize, PRICE_UNIT),
    open: inDollars(open),
    close: inDollars(close),
    high: inDollars(high),
    low: inDollars(low)
  }
}

const inDollars = (price: number | undefined) => (price === undefined ? undefined : dollars(price, PRICE_UNIT))
