import { CANCEL, copyPrints, type PrintColumns, type Prints, pickPrints, printKinds } from '../market/print.ts'
import { emptyColumns } from './columns.ts'

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
 * Given are rows in the order of the tape, to the cancel that is applied and with it.
 */
export function standing(rows: Prints): Prints {
  const { flags } = rows
  const gone: number[] = []
  for (let cancel = 0; cancel < rows.length; cancel++) {
    if ((flags[cancel] & CANCEL) === 0) continue
    gone.push(cancel)
    let at = cancel - 1
    while (at >= 0 && !(isSamePrint(rows, at, rows, cancel) && !gone.includes(at))) at--
    if (at >= 0) gone.push(at)
  }
  const kept = emptyColumns(printKinds, rows.length - gone.length)
  let [from, length] = [0, 0]
  for (const at of [...gone.sort((a, b) => a - b), rows.length]) {
    copyPrints(rows, from, at, kept, length)
    length += at - from
    from = at + 1
  }
  return { ...kept, length }
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
