import Type from 'typebox'
import { moment } from '../../api/annotations.ts'
import { block } from '../../api/block.ts'
import { Count, Nullable, Timestamp } from '../../api/quantity.ts'
import type { SessionTotals } from '../../flow/windows/session-totals.ts'
import { tapeTime } from './tape-time.ts'
import { volumes, volumesOf } from './volumes.ts'

export const sessionSums = (unit: typeof Count) =>
  block(
    Type.Object({
      totalTrades: Count('', { minimum: 0 }),
      ...volumes(unit),
      biggestSingleTrade: unit('', { minimum: 0 }),
      lastTradeUtc: Nullable(Timestamp('by the clock of the exchange, UTC; null without a print', moment))
    }),
    (totals: SessionTotals) => ({
      totalTrades: totals.trades,
      ...volumesOf(totals),
      biggestSingleTrade: totals.biggest,
      lastTradeUtc: totals.newest === undefined ? undefined : tapeTime(totals.newest)
    })
  )
