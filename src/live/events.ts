import type { HistoryStore } from '../archive/store.ts'
import type { DailyBar } from '../market/bar.ts'
import type { Chain } from '../market/chain.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import type { Ticker } from '../market/units.ts'

/** The part of the archive that the live market reads: what was recorded of past sessions. */
export type PastArchive = Pick<HistoryStore, 'closingSnapshot' | 'bars' | 'records'>

/**
 * Is told everything the live market learns, as it learns it: whoever keeps it all can replay every answer. What came
 * out of the archive is not told again.
 */
export interface MarketObserver {
  chain(chain: Chain): void
  bars(symbol: Ticker, bars: readonly DailyBar[]): void
  records(symbol: Ticker, records: readonly DailyRecord[]): void
}

/** For a market that noObserver records. */
export const noObserver: MarketObserver = { chain: () => {}, bars: () => {}, records: () => {} }
