import { LRUCache } from 'lru-cache'
import type { RestoredTape } from '../../archive/codec/decode-tape.ts'
import type { TapeSession } from '../../flow/fold.ts'
import {
  beginFolds,
  copyFolds,
  type FoldName,
  type FoldStates,
  foldedView,
  foldsOf,
  isFolded,
  type SessionFolds,
  stepFolds
} from '../../flow/folds.ts'
import { rowsNear } from '../../flow/near-cancel.ts'
import type { ViewContext, ViewName, Views } from '../../flow/tape-views.ts'
import { firstSeries, NamedSeries, type Series } from '../../market/series.ts'
import type { Task } from './task.ts'

export interface ViewTape {
  /** Name of the tape. Rows may be added to a tape, but its name always means the same tape. */
  readonly name: string
  readonly tape: RestoredTape
  readonly rows: number
  readonly view: ViewName
  readonly moment: Omit<ViewContext, 'series'>
}

/**
 * Computes a view of a past tape at a moment, from the rows known by then and with the code of the live service.
 * Undefined if the view cannot be computed from prints alone.
 */
export const viewTape: Task<ViewTape, Views[ViewName] | undefined> = {
  symbol: ({ moment }) => moment.symbol,
  usesNextWorker: true,
  run({ name, tape, rows, view, moment }) {
    if (!isFolded(view)) return undefined
    const kept = keptOf(name)
    const states: FoldStates = Object.assign(
      {},
      ...foldsOf(view).map((fold) => stateOf(kept, tape, rows, moment, fold))
    )
    return foldedView({ session: moment, states }, view, { ...moment, series: seriesOf(kept, tape, rows, moment) })
  }
}

interface FoldedTo {
  readonly rows: number
  readonly folds: SessionFolds
}

/** Saved states of one fold (a running computation over the prints of a tape). */
interface FoldTrack {
  /** Saved states at some of the tape's rows, ascending; they never change. */
  readonly marks: FoldedTo[]
  /** State that answered the most recent request. It is continued when a later moment is requested. */
  readonly newest: FoldedTo
}

/** Minimum number of rows between two saved states. */
const MIN_STRIDE = 65_536
/** Maximum number of saved states per fold and tape. For all folds of a busy tape they take 6 MB together. */
const MAX_MARKS = 12
/** Maximum number of tapes whose fold states a thread keeps. */
const MAX_TAPES = 4

/** Fold states of one tape on this thread. */
interface Kept {
  readonly named: NamedSeries
  readonly tracks: Map<FoldName, FoldTrack>
}

const held = new LRUCache<string, Kept>({ max: MAX_TAPES })

function keptOf(name: string): Kept {
  let kept = held.get(name)
  if (kept === undefined) held.set(name, (kept = { named: new NamedSeries(), tracks: new Map() }))
  return kept
}

/**
 * State of one fold over the first `rows` of a tape, computed from the nearest earlier state. Valid until the next
 * call.
 */
function stateOf(
  { tracks }: Kept,
  { prints, series }: RestoredTape,
  rows: number,
  session: TapeSession,
  fold: FoldName
): FoldStates {
  const { marks, newest } = tracks.get(fold) ?? beginTrack(session, fold)
  tracks.delete(fold)
  const mark = marks.findLast((kept) => kept.rows <= rows)!
  const isBehind = newest.rows > rows || newest.rows < mark.rows
  const folds = isBehind ? copyFolds(mark.folds) : newest.folds
  const stride = Math.max(MIN_STRIDE, Math.ceil(prints.length / MAX_MARKS))
  const tape = { prints, series, greeks: undefined, dropped: 0 }
  for (let at = isBehind ? mark.rows : newest.rows; at < rows; ) {
    const next = Math.min(rows, stride * (Math.floor(at / stride) + 1))
    stepFolds(folds, tape, at, next, (cancel, of) => rowsNear(prints, series, cancel, of))
    at = next
    if (at % stride === 0 && marks.at(-1)!.rows < at) marks.push({ rows: at, folds: copyFolds(folds) })
  }
  tracks.set(fold, { marks, newest: { rows, folds } })
  return folds.states
}

function beginTrack(session: TapeSession, fold: FoldName): FoldTrack {
  const begin = (): FoldedTo => ({ rows: 0, folds: beginFolds(session, [fold]) })
  return { marks: [begin()], newest: begin() }
}

/** Option series that occur in the first `rows` of a tape; later ones were not known at that moment. */
function seriesOf({ named }: Kept, { prints, series }: RestoredTape, rows: number, { kind }: TapeSession): Series {
  return kind === 'stock' ? series : firstSeries(series, named.by(rows, prints.instrument))
}
