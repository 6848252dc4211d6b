import { FEED_SILENT_AFTER } from '../facts/freshness.ts'
import { latestSession } from '../market/calendar.ts'
import { isMarketOpen } from '../market/clock.ts'
import type { Instant } from '../market/units.ts'

/** The steady clock and that of the market at one time, milliseconds. */
export interface ClockReading {
  readonly steady: number
  readonly market: Instant
}

/** Whether a feed is silent that said something last at `heard`: for too long, in a session that has been open as long. */
export function isFeedSilent(heard: ClockReading, { steady, market }: ClockReading): boolean {
  return (
    isMarketOpen(market) &&
    steady - heard.steady > FEED_SILENT_AFTER &&
    market - latestSession(market).open > FEED_SILENT_AFTER
  )
}
