import { latestSession } from './calendar.ts'
import { isMarketOpen } from './clock.ts'
import type { Instant } from './units.ts'

/**
 * A market clock that never closes: in market hours it is the wall clock; outside them the latest session runs again
 * and again at its own pace, so that a demonstration shows a moving market at any hour.
 */
export function demoClock(wallNow: () => Instant): () => Instant {
  return () => {
    const now = wallNow()
    if (isMarketOpen(now)) return now
    const { open, close } = latestSession(now)
    return open + ((now - close) % (close - open))
  }
}
