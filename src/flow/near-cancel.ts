import { CANCEL, type PrintColumns, type Prints, pickPrints, printKinds } from '../market/print.ts'
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
export function standing(rows: Prints): Prints {
  const { flags, sequence } = rows
  const gone = new Set<number>()
  for (let cancel = 0; cancel < rows.length; cancel++) {
    if ((flags[cancel] & CANCEL) === 0) continue
    gone.add(cancel)
    for (let at = cancel - 1; at >= 0; at--) {
      if (sequence[at] !== sequence[cancel] || !isSamePrint(rows, at, rows, cancel) || gone.has(at)) continue
      gone.add(at)
      break
    }
  }
  if (gone.size === 0) return rows
  return rowsThat(rows, (at) => !gone.has(at))
}

/** Rows of what expires with the instrument of a row, on a stock tape all: no undo looks at others. */
export function ofSameExpiration(rows: Prints, { expiration }: Series, its: number): Prints {
  const { instrument } = rows
  return rowsThat(rows, (at) => expiration[instrument[at]] === expiration[its])
}

function rowsThat(rows: Prints, isWanted: (at: number) => boolean): Prints {
  const wanted: number[] = []
  for (let at = 0; at < rows.length; at++) if (isWanted(at)) wanted.push(at)
  return { ...rowsInOrder(printKinds, rows, wanted), length: wanted.length }
}

/**
 * What `Fold.undo` needs of a tape for the cancel in row `at`: the rows to it that lie around its print in time and still
 * stand.
 */
export function rowsNear(prints: PrintColumns, at: number): Prints {
  const { ts, known } = prints
  const { from, to } = nearCancel(ts[at])
  const found: number[] = []
  // No row is known before its own time, so those of a time on lie behind the first that is known from then on.
  for (let k = at; k >= 0 && known[k] >= from; k--) if (ts[k] >= from && ts[k] < to) found.push(k)
  return standing(pickPrints(prints, found.reverse()))
}
