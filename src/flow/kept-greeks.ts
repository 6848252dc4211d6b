import { type ColumnsOf, copyOf, emptyColumns, withRoom } from './columns.ts'
import type { TapeGreeks } from './fold.ts'

type Numbers = Float32Array | Float64Array
type Precision = new (length: number) => Numbers

/** Numbers of a place in a whole snapshot: delta, gamma and vega per share. */
const WIDTH = 3
/** How much longer than needed columns grow: a minute adds few rows, and there is a table for each followed symbol. */
const GROWTH = 1.05

/** A snapshot that a late print may still need, with the greeks of all places. */
interface WholeSnapshot {
  /** Time from which its greeks hold, microseconds. */
  readonly since: number
  /** The last row of the tape that was counted with it; -1 if none was. */
  lastRow: number
  readonly rows: Numbers
  /** 1 for each place of which a print was counted with it. */
  readonly used: Uint8Array
}

/** Older snapshots. `end` is the end of their rows in `places`. */
const snapshotKinds = { since: Float64Array, lastRow: Float64Array, end: Int32Array } as const
/** Greeks by place. */
const placeKinds = (precision: Precision) => ({
  place: Int32Array,
  delta: precision,
  gamma: precision,
  vega: precision
})

/**
 * The newest snapshots of greeks, and of older ones the greeks that prints were counted with, as long as one of these
 * prints may be taken back. A place is a number that the fold gives to a series, counted from 0.
 */
export interface KeptGreeks {
  readonly precision: Precision
  /** A print that is at most this much older than the newest snapshot finds the greeks of its time. Microseconds. */
  readonly late: number
  readonly whole: WholeSnapshot[]
  snapshots: ColumnsOf<typeof snapshotKinds>
  snapshotCount: number
  /** The places that the older snapshots still have, those of a snapshot ascending, and their greeks. */
  places: ColumnsOf<ReturnType<typeof placeKinds>>
  placeCount: number
}

export function noGreeks(precision: Precision, late: number): KeptGreeks {
  const snapshots = emptyColumns(snapshotKinds, 0)
  const places = emptyColumns(placeKinds(precision), 0)
  return { precision, late, whole: [], snapshots, snapshotCount: 0, places, placeCount: 0 }
}

/**
 * Adds the newest snapshot, or its values for new places. `dropped` is the number of rows that the tape has dropped: their
 * cancels cannot come any more.
 */
export function keepGreeks(
  kept: KeptGreeks,
  { since, delta, gamma, vega }: TapeGreeks,
  places: number,
  instrumentOf: (place: number) => number,
  dropped: number
): void {
  const { whole, late, precision } = kept
  const newest = whole.at(-1)
  const isKnown = newest?.since === since
  const known = isKnown ? newest.used.length : 0
  if (isKnown && known === places) return
  const [rows, used] = [new precision(WIDTH * places), new Uint8Array(places)]
  if (isKnown) {
    rows.set(newest.rows)
    used.set(newest.used)
  }
  for (let place = known, at = WIDTH * known; place < places; place++, at += WIDTH) {
    const instrument = instrumentOf(place)
    rows[at] = delta[instrument]
    rows[at + 1] = gamma[instrument]
    rows[at + 2] = vega[instrument]
  }
  if (isKnown) {
    whole[whole.length - 1] = { ...newest, rows, used }
    return
  }
  whole.push({ since, lastRow: -1, rows, used })
  while (whole.length > 1 && whole[1].since < since - late) shrink(kept, whole.shift()!)
  forget(kept, dropped)
}

/**
 * Copies delta, gamma and vega of the newest snapshot known before `ts`, and notes that they are counted with a row of the
 * tape. False if no snapshot was known, or it has no greeks of this place any more. A snapshot that comes later counts as
 * known after every earlier row.
 */
export function readGreeks(kept: KeptGreeks, ts: number, place: number, row: number, into: Numbers): boolean {
  const { whole } = kept
  for (let k = whole.length - 1; k >= 0; k--) {
    const snapshot = whole[k]
    if (snapshot.since >= ts) continue
    const { rows, used } = snapshot
    if (place >= used.length) return false
    const at = WIDTH * place
    into[0] = rows[at]
    into[1] = rows[at + 1]
    into[2] = rows[at + 2]
    used[place] = 1
    snapshot.lastRow = row
    return true
  }
  return readOlder(kept, ts, place, row, into)
}

function readOlder(kept: KeptGreeks, ts: number, place: number, row: number, into: Numbers): boolean {
  const { snapshots, places } = kept
  let k = kept.snapshotCount - 1
  while (k >= 0 && snapshots.since[k] >= ts) k--
  if (k < 0) return false
  const first = k === 0 ? 0 : snapshots.end[k - 1]
  const at = places.place.subarray(first, snapshots.end[k]).indexOf(place)
  if (at < 0) return false
  into[0] = places.delta[first + at]
  into[1] = places.gamma[first + at]
  into[2] = places.vega[first + at]
  snapshots.lastRow[k] = row
  return true
}

export const copyOfGreeks = (kept: KeptGreeks): KeptGreeks => ({
  ...kept,
  whole: kept.whole.map((snapshot) => ({ ...snapshot, used: snapshot.used.slice() })),
  snapshots: copyOf(kept.snapshots),
  places: copyOf(kept.places)
})

/** Moves the greeks that prints were counted with to the older ones. */
function shrink(kept: KeptGreeks, { since, lastRow, rows, used }: WholeSnapshot): void {
  let count = 0
  for (let place = 0; place < used.length; place++) count += used[place]
  kept.places = withRoom(kept.places, kept.placeCount + count, GROWTH)
  const { place, delta, gamma, vega } = kept.places
  for (let k = 0; k < used.length; k++) {
    if (used[k] === 0) continue
    const row = kept.placeCount++
    place[row] = k
    delta[row] = rows[WIDTH * k]
    gamma[row] = rows[WIDTH * k + 1]
    vega[row] = rows[WIDTH * k + 2]
  }
  const row = kept.snapshotCount++
  kept.snapshots = withRoom(kept.snapshots, kept.snapshotCount, GROWTH)
  kept.snapshots.since[row] = since
  kept.snapshots.lastRow[row] = lastRow
  kept.snapshots.end[row] = kept.placeCount
}

/** Drops the oldest snapshots whose prints the tape has all dropped, once they are half of what is kept. */
function forget(kept: KeptGreeks, dropped: number): void {
  const { snapshots, places, snapshotCount, placeCount } = kept
  let gone = 0
  while (gone < snapshotCount && snapshots.lastRow[gone] < dropped) gone++
  if (gone === 0) return
  const rows = snapshots.end[gone - 1]
  if (2 * rows < placeCount && 2 * gone < snapshotCount) return
  for (const column of Object.values(snapshots)) column.copyWithin(0, gone, snapshotCount)
  for (const column of Object.values(places)) column.copyWithin(0, rows, placeCount)
  kept.snapshotCount -= gone
  kept.placeCount -= rows
  for (let k = 0; k < kept.snapshotCount; k++) snapshots.end[k] -= rows
}
