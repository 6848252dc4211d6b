import { CANCEL, type PrintColumns, type Prints, pickPrints, printKinds, printsOf } from '../market/print.ts'
import type { Series } from '../market/series.ts'
import { rowsInOrder } from './columns.ts'

const MINUTE = 60_000_000 // microseconds
const AROUND = 10_000_000

/**
 * The prints that are needed to take back one of time `ts`, from their own times, [from, to), microseconds: the minute of
 * the print, whose extremes are made again, and ten seconds around it, in which runs of prints that coalesce begin and end.
 */
export function nearCancel(ts: number): { readonly from: number; readonly to: number } {
  const minute = Math.floor(ts / MINUTE) * MINUTE
  return { from: minute - AROUND, to: minute + MINUTE + AROUND }
}

/** The first of `length` rows that became known at a time or later, microseconds; `length` where none did. */
export function firstKnown({ known }: PrintColumns, length: number, time: number): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (known[middle] < time) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether two rows are one print, or one a print and the other the cancel that repeats it. */
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
 * Rows without the cancels among them and without the prints that these take back: of like prints the newest before it.
 * Rows are in the order of the tape.
 */
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

/** Of which contracts the rows around a print are wanted: of its own series, or of all that expires with it. */
export type Nearness = 'series' | 'expiration'

/**
 * The rows of a tape to the cancel in row `at` that lie around its print in time and are of such contracts, in their order:
 * see `RowsNear`.
 */
export function rowsNear(prints: PrintColumns, { expiration }: Series, at: number, of: Nearness): Prints {
  const { ts, instrument } = prints
  const { from, to } = nearCancel(ts[at])
  const its = instrument[at]
  const found: number[] = []
  // No row is known before its own time, so those of a time on lie behind the first that is known from then on.
  for (let k = firstKnown(prints, at + 1, from); k <= at; k++) {
    if (instrument[k] !== its && (of === 'series' || expiration[instrument[k]] !== expiration[its])) continue
    if (ts[k] >= from && ts[k] < to) found.push(k)
  }
  return pickPrints(prints, found)
}
