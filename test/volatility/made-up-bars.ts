import type { DailyBar } from '../../src/market/bar.ts'
import { previousTradingDay } from '../../src/market/calendar.ts'
import { dateOfEpochDay, type IsoDate } from '../../src/market/units.ts'

/** A seeded stream of numbers from 0 to 1, both excluded (Lehmer, minimal standard). */
export function uniformStream(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48271) % 2147483647) / 2147483647
}

/** A seeded stream of standard normal numbers (Box and Muller). */
export function normalStream(seed: number): () => number {
  const uniform = uniformStream(seed)
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
}

/** A bar of one day, numbered from 0. */
export function barAt(day: number, open: number, high: number, low: number, close: number): DailyBar {
  return { date: dateOfEpochDay(20_000 + day), open, high, low, close, volume: 1000 }
}

/** Bars that open, stay and close at one price. */
export function barsOfCloses(closes: ArrayLike<number>): readonly DailyBar[] {
  return Array.from(closes, (close, day) => barAt(day, close, close, close, close))
}

/**
 * A random walk: `steps` moves in each session and a gap before it.
 * `night` and `session` are the daily deviations of the two, fractions.
 */
export function walk(seed: number, days: number, { steps = 20, session = 0.01, night = 0.004, drift = 0 } = {}) {
  const normal = normalStream(seed)
  let price = 100
  return Array.from({ length: days }, (_, day) => {
    const open = (price *= Math.exp(night * normal()))
    let [high, low] = [open, open]
    for (let k = 0; k < steps; k++) {
      price *= Math.exp(drift / steps + (session / Math.sqrt(steps)) * normal())
      high = Math.max(high, price)
      low = Math.min(low, price)
    }
    return barAt(day, open, high, low, price)
  })
}

/** Moves the bars to the last trading days before a date. */
export function datedBefore(bars: readonly DailyBar[], date: IsoDate): readonly DailyBar[] {
  const dates: IsoDate[] = []
  for (let day = previousTradingDay(date); dates.length < bars.length; day = previousTradingDay(day)) dates.unshift(day)
  return bars.map((bar, day) => ({ ...bar, date: dates[day] }))
}
