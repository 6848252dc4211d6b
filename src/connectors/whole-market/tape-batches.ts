import type { Ticker } from '../../market/units.ts'
import type { TapeMessage } from '../port/prints/print-feed.ts'
import type { TradeRead } from './wanted-trades.ts'

const BATCH = 1000

export function* tapeBatches<Trade>(
  trades: readonly Trade[],
  symbol: Ticker,
  read: (trade: Trade, symbol: Ticker) => TradeRead,
  onRefused: (reason: string) => void
): Generator<readonly TapeMessage[]> {
  for (let from = 0; from < trades.length; from += BATCH) {
    const batch: TapeMessage[] = []
    for (const trade of trades.slice(from, from + BATCH)) {
      const found = read(trade, symbol)
      if ('message' in found) batch.push(found.message)
      else onRefused(found.refused)
    }
    yield batch
  }
}
