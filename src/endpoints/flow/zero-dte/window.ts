import { choice, symbolInPath, whole } from '../../../api/params.ts'
import { latestSession } from '../../../market/calendar.ts'
import { type Instant, type IsoDate, isoInstant, MILLISECONDS_PER_MINUTE, type Ticker } from '../../../market/units.ts'
import { SAMPLE_STEP } from '../../../market/zero-dte-sample.ts'

/** Bar sizes by name, milliseconds. */
export const barSizes = {
  '30s': SAMPLE_STEP,
  '1m': MILLISECONDS_PER_MINUTE,
  '5m': 5 * MILLISECONDS_PER_MINUTE,
  '15m': 15 * MILLISECONDS_PER_MINUTE
} as const
export type BarSize = keyof typeof barSizes
export const barNames = Object.keys(barSizes) as readonly BarSize[]

const minutes = whole({
  description: 'minutes of the window, which ends now or with the session',
  default: 60,
  minimum: 1,
  maximum: 390,
  clamp: true
})

/** Parameters of endpoints that return bars. */
export const byBar = {
  symbol: symbolInPath(),
  bar: choice({
    description: 'the size of a bar: 30s, 1m, 5m or 15m',
    spelling: { '30s': '30s', '1m': '1m', '5m': '5m', '15m': '15m' } as const,
    default: '30s',
    code: 'invalid_bar'
  }),
  minutes
}

export const byStrikeMinute = {
  symbol: symbolInPath(),
  bar: choice({
    description: 'the size of a bar: 1m, the only one by strike',
    spelling: { '1m': '1m' } as const,
    default: '1m',
    code: 'bar_unavailable'
  }),
  minutes
}

export interface DayWindow {
  readonly session: IsoDate
  readonly open: Instant
  readonly from: Instant
  readonly end: Instant
}

interface Asked {
  readonly now: Instant
  readonly minutes: number
  /** Length of a bar, milliseconds. */
  readonly size: number
  /** The end of the window is rounded down to a multiple of this, milliseconds. */
  readonly step: number
}

/**
 * Window of the last `minutes` minutes before now, or before the close once the session is over. Its start is rounded
 * down to the start of a bar.
 */
export function dayWindow({ now, minutes, size, step }: Asked): DayWindow {
  const { date, open, close } = latestSession(now)
  const end = step * Math.floor(Math.min(now, close) / step)
  const from = bucketOf(end - minutes * MILLISECONDS_PER_MINUTE, { open, size })
  return { session: date, open, from: Math.max(open, from), end }
}

/** Start of the bar that contains `t`. The first bar starts at the open. */
export function bucketOf(t: Instant, { open, size }: { readonly open: Instant; readonly size: number }): Instant {
  return open + size * Math.floor((t - open) / size)
}

/** Rows that end by the end of the window. Empty if the rows belong to another session. */
export function rowsUntil<Row extends { readonly t: Instant }>(
  { session, end }: DayWindow,
  held: { readonly session: IsoDate; readonly rows: readonly Row[] } | undefined,
  length: number
): readonly Row[] {
  if (held?.session !== session) return []
  return held.rows.filter(({ t }) => t + length <= end)
}

/** First fields of the response; `known` is the end of the newest complete row that the response shows. */
export function opening(symbol: Ticker, { session, end }: DayWindow, known: Instant | undefined) {
  return { symbol, expiration: session, as_of: isoInstant(known ?? end) }
}
