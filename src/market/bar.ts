import type { IsoDate } from './units.ts'

/**
 * One trading day of the underlying, split-adjusted, USD per share. NaN: not known, as open, high and low of a series of
 * closes alone.
 */
export interface DailyBar {
  readonly date: IsoDate
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** Bars of a symbol that are held, newest last: enough for every measure, and for a few bars that none can use. */
export const MAX_BARS = 1100
