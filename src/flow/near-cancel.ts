import { CANCEL, type PrintColumns, type Prints, pickPrints, printKinds, printsOf } from '../market/print.ts'
import type { Series } from '../market/series.ts'
import { rowsInOrder } from './columns.ts'

const MINUTE = 60_000_000 // microseconds
const AROUND = 10_000_000

/**
 * Time range [from, to) of the prints that are needed to remove a print of time `ts`, microseconds. It covers the
 * minute of the print, because the extremes of that minute are computed again. It also covers the ten seconds before
 * and after, within which the print's group begins and ends.
 */
export function nearCancel(ts: number): { readonly from: number; readonly to: number } {
  const minute = Math.floor(ts / MINUTE) * MINUTE
  return { from: minute - AROUND, to: minute + MINUTE + AROUND }
}

/**
 * Index of the first of `length` rows that became known at `time`, microseconds, or later; `length` if there is none.
 */
export function firstKnown({ known }: PrintColumns, length: number, time: number): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (known[middle] < time) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether two rows are the same print, or a print and its cancel. */
export function isSamePrint(a: PrintColumns, i: number, b: PrintColumns, j: number): boolean {
  return (
    a.sequence[i] === b.sequence[j] &&
    a.instrument[i] === b.instrument[j] &&
    a.ts[i] === b.ts[j] &&
    a.exchange[i] === b.exchange[j] &&
    a.price[i] === b.price[j] &&
    a.size[i] === b.size[j]
  )
}

/**
 * Row of the print that a cancel takes back: the newest equal one that no other cancel before it takes back. -1 if the
 * print is not among the rows.
 */
export function cancelledRow(rows: PrintColumns, cancel: number): number {
  let others = 0
  for (let at = cancel - 1; at >= 0; at--) {
    if (rows.sequence[at] !== rows.sequence[cancel] || !isSamePrint(rows, at, rows, cancel)) continue
    if ((rows.flags[at] & CANCEL) !== 0) others++
    else if (others-- === 0) return at
  }
  return -1
}

/** Removes cancels and the prints they cancel. Among equal prints, a cancel removes the newest one before it. */
export function withoutCancelled(rows: Prints): Prints {
  const { flags, sequence, length } = rows
  const gone = new Set<number>()
  for (let cancel = 0; cancel < length; cancel++) {
    if ((flags[cancel] & CANCEL) === 0) continue
    gone.add(cancel)
    for (let at = cancel - 1; at >= 0; at--) {
      if (sequence[at] !== sequence[cancel] || !isSamePrint(rows, at, rows, cancel) || gone.has(at)) continue
      gone.add(at)
      break
    }
  }
  if (gone.size === 0) return rows
  const left = new Int32Array(length - gone.size)
  let count = 0
  for (let at = 0; at < length; at++) if (!gone.has(at)) left[count++] = at
  return printsOf(rowsInOrder(printKinds, rows, left), count)
}

/** Which rows around a print are needed: only the rows of its series, or the rows of all series with its expiration. */
export type Nearness = 'series' | 'expiration'

/** Returns the rows around the print that is cancelled by the cancel in row `at`, in the order of the tape. */
export function rowsNear(prints: PrintColumns, { expiration }: Series, at: number, of: Nearness): Prints {
  const { ts, instrument } = prints
  const { from, to } = nearCancel(ts[at])
  const its = instrument[at]
  const found: number[] = []
  // A row is known no earlier than its own time, so the search starts at the first row known from then on.
  for (let k = firstKnown(prints, at + 1, from); k <= at; k++) {
    if (instrument[k] !== its && (of === 'series' || expiration[instrument[k]] !== expiration[its])) continue
    if (ts[k] >= from && ts[k] < to) found.push(k)
  }
  return pickPrints(prints, found)
}
