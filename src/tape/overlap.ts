import { CANCEL, MICROSECONDS_PER_MILLISECOND } from '../market/print.ts'
import type { Instant } from '../market/units.ts'
import type { PrintIdentity, RowRange } from './row-buffer.ts'

/**
 * Returns whether a print or cancel is missing from its tape. It is for rows without a sequence number, while the
 * feed's history is read over a period that the tape already covers. `ts` is the time of the print, microseconds;
 * undefined for a cancel, whose time differs from the time of its print.
 */
export type OverlapFilter = (row: Omit<PrintIdentity, 'sequence'>, ts: number | undefined) => boolean

/**
 * Creates the filter for rows `from` to `to` of a tape. If the tape has n equal prints, the first n such prints of the
 * history are skipped and further ones are new. Tape rows before `since` are not compared, so the history must be read
 * from `since` or earlier.
 */
export function overlapFilter({ prints, from, to }: RowRange, since: Instant): OverlapFilter {
  const { ts, known, instrument, price, size, exchange, flags } = prints
  /**
   * How many rows of the tape have not come again from the feed's history yet, counted by the text of `keyOf`. Equal
   * rows have the same text.
   */
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
