import { type DailyBar, MAX_BARS } from '../../market/bar.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { withTimeout } from '../with-timeout.ts'
import type { Task } from './task.ts'

/** The newest daily bars completed by `now`, ascending, `MAX_BARS` at most. Empty where the source has none. */
export const loadBars: Task<{ readonly symbol: Ticker; readonly now: Instant }, readonly DailyBar[]> = {
  urgency: 'soon',
  symbol: ({ symbol }) => symbol,
  async run({ symbol, now }, { connector }) {
    const { timeLimit } = connector.suppliers?.bars ?? connector
    const bars = await withTimeout((signal) => connector.dailyBars(symbol, now, signal), timeLimit)
    return bars.slice(-MAX_BARS)
  }
}
