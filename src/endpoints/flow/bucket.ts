import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { block } from '../../api/block.ts'
import { Contracts, Count, Nullable, Price, Shares, Timestamp } from '../../api/quantity.ts'
import type { FlowBar } from '../../flow/windows/price-bars.ts'
import type { FlowBucket } from '../../flow/windows/window-buckets.ts'
import { bucketPrices, runningNet } from '../../flow/windows/window-buckets.ts'
import { isoInstant, type Instant as Moment } from '../../market/units.ts'
import { volumes, volumesOf } from './volumes.ts'

const counted = (unit: typeof Count) => ({
  ...volumes(unit),
  tradeCount: Count('', { minimum: 1 }),
  biggestTrade: unit('', { minimum: 1 })
})
const countsOf = (bucket: FlowBucket) => ({
  ...volumesOf(bucket),
  tradeCount: bucket.trades,
  biggestTrade: bucket.biggest
})

const priced = (which: string) => Nullable(Price(`${which}; null where no print of it may set a price`, { minimum: 0 }))
const stockPrices = {
  open: priced('first price by time'),
  close: priced('last price by time'),
  high: priced('highest price'),
  low: priced('lowest price'),
  vwap: priced('mean price of a share')
}

/** The option prints of one minute, summed over one or several option series. */
export const optionBucket = block(
  Type.Object(
    {
      ts: Timestamp('the beginning of the minute'),
      ...counted(Contracts),
      vwap: priced('mean price of a contract, all series in scope together'),
      high: priced('highest price'),
      low: priced('lowest price')
    },
    { title: 'OptionFlowBucket' }
  ),
  (bucket: FlowBucket) => {
    const { vwap, high, low } = bucketPrices(bucket)
    return { ts: isoInstant(bucket.start), ...countsOf(bucket), vwap, high, low }
  }
)

export const stockBucket = block(
  Type.Object(
    { ts: Timestamp('the beginning of the minute'), ...counted(Shares), ...stockPrices },
    { title: 'StockFlowBucket' }
  ),
  (bucket: FlowBucket) => ({ ts: isoInstant(bucket.start), ...countsOf(bucket), ...bucketPrices(bucket) })
)

export const stockBar = block(
  Type.Object(
    {
      ts: Timestamp('the beginning of the bar'),
      closed: Type.Boolean({ description: 'whether the bar is over' }),
      ...stockPrices,
      ...counted(Shares)
    },
    { title: 'StockBar' }
  ),
  (bar: FlowBar, now: Moment) => ({
    ts: isoInstant(bar.start),
    closed: now >= bar.end,
    ...bucketPrices(bar),
    ...countsOf(bar)
  })
)

/** Net volume (bought minus sold) summed from the start of a window, one point per minute. */
export const cumulativePoints = (unit: typeof Count) =>
  block(
    Type.Array(
      Type.Object({
        ts: Timestamp('the beginning of the minute'),
        netVolume: unit('bought less sold'),
        cumulative: unit('the same from the first bucket of the window on'),
        vwap: stockPrices.vwap,
        tradeCount: Count('', { minimum: 1 })
      }),
      rowKey('ts')
    ),
    (buckets: readonly FlowBucket[]) =>
      runningNet(buckets).map(({ bucket, net, cumulative }) => ({
        ts: isoInstant(bucket.start),
        netVolume: net,
        cumulative,
        vwap: bucketPrices(bucket).vwap,
        tradeCount: bucket.trades
      }))
  )
