import { CANCEL, copyPrints, emptyPrints, type PrintColumns, type Prints } from '../market/print.ts'

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
  const gone = new Uint8Array(rows.length)
  for (let cancel = 0; cancel < rows.length; cancel++) {
    if ((rows.flags[cancel] & CANCEL) === 0) continue
    gone[cancel] = 1
    let at = cancel - 1
    while (at >= 0 && (gone[at] === 1 || !isSamePrint(rows, at, rows, cancel))) at--
    if (at >= 0) gone[at] = 1
  }
  const kept = emptyPrints(gone.reduce((count, is) => count - is, rows.length))
  let length = 0
  let from = 0
  for (let at = 0; at <= rows.length; at++) {
    if (at < rows.length && gone[at] === 0) continue
    copyPrints(rows, from, at, kept, length)
    length += at - from
    from = at + 1
  }
  return kept
}
