import type { IsoDate } from './units.ts'

/** One trading day of the underlying, split-adjusted, USD per share. */
export interface DailyBar {
  readonly date: IsoDate
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}
