import { CANCEL, MICROSECONDS_PER_MILLISECOND } from '../market/print.ts'
import type { Instant } from '../market/units.ts'
import type { PrintIdentity, RowRange } from './row-buffer.ts'

/**
 * Tells whether a print or cancel without a number is new to its tape while a stretch of the past is read that overlaps the
 * tape. `ts` is the time of the print, microseconds; undefined for a cancel, whose time is not that of its print.
 */
export type OverlapFilter = (row: Omit<PrintIdentity, 'sequence'>, ts: number | undefined) => boolean

/**
 * Of equal prints only as many are new as exceed those in `rows`. Rows older than `since` are not compared, so the stretch
 * must begin there or earlier.
 */
export function overlapFilter({ prints, from, to }: RowRange, since: Instant): OverlapFilter {
  const { ts, known, instrument, price, size, exchange, flags } = prints
  /** Rows that the stretch has not repeated yet, by their figures. */
  const left = new Map<string, number>()
  for (let at = from; at < to; at++) {
    const isCancel = (flags[at] & CANCEL) !== 0
    if ((isCancel ? known : ts)[at] < MICROSECONDS_PER_MILLISECOND * since) continue
    const row = { instrument: instrument[at], price: price[at], size: size[at], exchange: exchange[at] }
    const key = keyOf(row, isCancel ? undefined : ts[at])
    left.set(key, (left.get(key) ?? 0) + 1)
  }
  return (row, time) => {
    const key = keyOf(row, time)
    const count = left.get(key) ?? 0
    if (count > 0) left.set(key, count - 1)
    return count === 0
  }
}

const keyOf = ({ instrument, price, size, exchange }: Parameters<OverlapFilter>[0], ts: number | undefined) =>
  `${ts ?? 'cancel'} ${instrument} ${price} ${size} ${exchange}`
