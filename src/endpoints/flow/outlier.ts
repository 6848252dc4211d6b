import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { block } from '../../api/block.ts'
import type { WindowsFound } from '../../api/market-source.ts'
import { Count, Name, Notional, Nullable, Percent, Price, Timestamp, Words } from '../../api/quantity.ts'
import { dollars } from '../../flow/print-rules.ts'
import type { WindowTotals } from '../../flow/tape-views.ts'
import { type Outlier, outliers, skews } from '../../flow/windows/outliers.ts'
import { MICROSECONDS_PER_MILLISECOND } from '../../market/print.ts'
import { isoInstant, type Instant as Moment } from '../../market/units.ts'
import { PrintTime, tapeTime } from './tape-time.ts'
import { volumes, volumesOf } from './volumes.ts'

const age = Count('whole seconds before generatedUtc; -1 when there is none', { minimum: -1 })

const row = block(
  Type.Object(
    {
      symbol: Name(),
      tradeCount: Count('', { minimum: 1 }),
      ...volumes(Count),
      imbalancePct: Percent('net volume over the volume that has a side, without its sign', {
        minimum: 0,
        maximum: 100
      }),
      skew: Words(...skews),
      notional: Notional('of all prints that may set a price', { minimum: 0 }),
      netNotional: Notional('net volume at the vwap of the window'),
      biggestTrade: Count('', { minimum: 0 }),
      biggestTradeUtc: Nullable(PrintTime('when the newest of the biggest prints happened')),
      biggestAgeSec: age,
      lastVwap: Nullable(Price('of the newest minute; null where no print of it may set a price')),
      lastTradeUtc: Nullable(PrintTime()),
      lastTradeAgeSec: age
    },
    { title: 'FlowOutlier' }
  ),
  ({ totals, money, imbalance, skew }: Outlier, at: Moment) => ({
    symbol: totals.symbol,
    tradeCount: totals.trades,
    ...volumesOf(totals),
    imbalancePct: imbalance,
    skew,
    notional: money.notional,
    netNotional: money.net,
    biggestTrade: totals.biggest,
    biggestTradeUtc: timeOf(totals.biggestAt),
    biggestAgeSec: secondsSince(totals.biggestAt, at),
    lastVwap: lastVwap(totals),
    lastTradeUtc: timeOf(totals.newest),
    lastTradeAgeSec: secondsSince(totals.newest, at)
  })
)

/** Symbols ranked by how one-sided their net flow was over a window. */
export const outlierList = block(
  Type.Object({
    generatedUtc: Timestamp('when it was computed; it is cached for half a minute'),
    windowMinutes: Count('minutes before the current one'),
    tracked: Count('symbols with a print in the window'),
    qualified: Count('those of them with enough prints, and with volume that has a side'),
    limit: Count('symbols at most'),
    outliers: Type.Array(row.schema, rowKey('symbol'))
  }),
  (found: WindowsFound, asked: Record<'limit' | 'minTrades' | 'windowMinutes', number>, multiplier: number) => {
    const { limit, minTrades, windowMinutes } = asked
    const rated = outliers(found.totals, { multiplier, count: limit, minTrades })
    return {
      generatedUtc: isoInstant(found.at),
      windowMinutes,
      tracked: rated.tracked,
      qualified: rated.qualified,
      limit,
      outliers: rated.outliers.map((outlier) => row.fill(outlier, found.at))
    }
  }
)

const timeOf = (microseconds: number) => (Number.isFinite(microseconds) ? tapeTime(microseconds) : undefined)

/** Age of a print, seconds. It is 0 if the exchange's clock is ahead of ours, and -1 if there is no print. */
function secondsSince(microseconds: number, at: Moment): number {
  if (!Number.isFinite(microseconds)) return -1
  return Math.max(0, Math.floor((at - microseconds / MICROSECONDS_PER_MILLISECOND) / 1000))
}

function lastVwap({ lastMoney, lastPricedSize, unit }: WindowTotals): number | undefined {
  return lastPricedSize === 0 ? undefined : dollars(lastMoney / lastPricedSize, unit)
}
