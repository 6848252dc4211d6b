import Type from 'typebox'
import { block } from '../../api/block.ts'
import type { WindowsFound } from '../../api/market-source.ts'
import { Contracts, Count, Name, Notional, Price, Shares, Timestamp } from '../../api/quantity.ts'
import type { Leader } from '../../flow/windows/leaders.ts'
import { isoInstant } from '../../market/units.ts'
import { PrintTime, tapeTime } from './tape-time.ts'
import { volumes, volumesOf } from './volumes.ts'

/** First fields of a leaderboard response. */
export const leaderboardHead = block(
  Type.Object({
    generatedUtc: Timestamp('when it was computed; it is cached for half a minute'),
    n: Count('symbols at most on each side'),
    windowMinutes: Count('minutes before the current one')
  }),
  ({ at }: WindowsFound, { n, windowMinutes }: Record<'n' | 'windowMinutes', number>) => ({
    generatedUtc: isoInstant(at),
    n,
    windowMinutes
  })
)

const common = (unit: typeof Count, notional: string) => {
  const { midVolume: _, ...sided } = volumes(unit)
  return {
    symbol: Name(),
    ...sided,
    netNotional: Notional(notional),
    tradeCount: Count('', { minimum: 1 }),
    lastTradeUtc: PrintTime()
  }
}
const commonOf = ({ totals, money }: Leader) => {
  const { midVolume: _, ...sided } = volumesOf(totals)
  return {
    symbol: totals.symbol,
    ...sided,
    netNotional: money.net,
    tradeCount: totals.trades,
    lastTradeUtc: tapeTime(totals.newest)
  }
}

export const optionLeader = block(
  Type.Object(
    {
      ...common(Contracts, 'net volume at the average premium, times 100'),
      avgPremium: Price('over all prints of the window', { minimum: 0 })
    },
    { title: 'OptionLeader' }
  ),
  (leader: Leader) => ({ ...commonOf(leader), avgPremium: leader.money.vwap })
)

export const stockLeader = block(
  Type.Object(
    {
      ...common(Shares, 'net volume at the vwap'),
      vwap: Price('over the prints of the window that may set a price', { minimum: 0 })
    },
    { title: 'StockLeader' }
  ),
  (leader: Leader) => ({ ...commonOf(leader), vwap: leader.money.vwap })
)
