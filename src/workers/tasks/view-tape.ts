import { LRUCache } from 'lru-cache'
import type { RestoredTape } from '../../archive/codec/decode-tape.ts'
import type { TapeSession } from '../../flow/fold.ts'
import { beginFolds, copyFolds, isFolded, type SessionFolds, stepFolds, viewOf } from '../../flow/folds.ts'
import type { Moment } from '../../flow/moment.ts'
import { rowsNear } from '../../flow/near-cancel.ts'
import type { ViewName, Views } from '../../flow/views.ts'
import { firstSeries, type Series } from '../../market/series.ts'
import type { Task } from './task.ts'

export interface ViewTape {
  /** The same name means the same tape, which later may have more rows. */
  readonly name: string
  readonly tape: RestoredTape
  /** So many rows from its beginning were known at the moment. */
  readonly rows: number
  readonly view: ViewName
  readonly moment: Omit<Moment, 'series'>
}

/**
 * A view of a tape as it stood at a moment of the past: by the folds that serve the present, over the rows known by then.
 * Undefined where no fold gives it.
 */
export const viewTape: Task<ViewTape, Views[ViewName] | undefined> = {
  symbol: ({ moment }) => moment.symbol,
  run: ({ name, tape, rows, view, moment }) =>
    isFolded(view)
      ? viewOf(foldedTo(name, tape, rows, moment), view, { ...moment, series: seriesOf(tape, rows, moment) })
      : undefined
}

/** States of a tape at some of its rows, ascending. */
interface Folded {
  readonly marks: { readonly rows: number; readonly folds: SessionFolds }[]
}

/** Between two states that are kept, rows: it takes some 10 ms to fold so many. */
const LEAST_STRIDE = 65_536
/** States that are kept of one tape: those of a busy one take 6 MB each. */
const MOST_MARKS = 12
/** Tapes whose states are kept by a thread. */
const MAX_TAPES = 4

const held = new LRUCache<string, Folded>({ max: MAX_TAPES })

/** The folds over the first `rows` of a tape, from the nearest state before. What is given is read and not changed. */
function foldedTo(name: string, { prints, series }: RestoredTape, rows: number, session: TapeSession): SessionFolds {
  let folded = held.get(name)
  if (folded === undefined) held.set(name, (folded = { marks: [{ rows: 0, folds: beginFolds(session) }] }))
  const { marks } = folded
  const stride = Math.max(LEAST_STRIDE, Math.ceil(prints.length / MOST_MARKS))
  const mark = marks.findLast((kept) => kept.rows <= rows)!
  const folds = copyFolds(mark.folds)
  const tape = { prints, series, greeks: undefined }
  for (let at = mark.rows; at < rows; ) {
    const next = Math.min(rows, stride * (Math.floor(at / stride) + 1))
    stepFolds(folds, tape, at, next, (cancel) => rowsNear(prints, cancel))
    at = next
    if (at % stride === 0 && marks.at(-1)!.rows < at) marks.push({ rows: at, folds: copyFolds(folds) })
  }
  return folds
}

/** The series that had been named by the first `rows` of a tape: which ones come later was not known then. */
function seriesOf({ prints, series }: RestoredTape, rows: number, { kind }: TapeSession): Series {
  if (kind === 'stock') return series
  let length = 0
  for (let at = 0; at < rows; at++) length = Math.max(length, prints.instrument[at] + 1)
  return firstSeries(series, length)
}
