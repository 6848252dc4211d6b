import { type ColumnsOf, copyOf, emptyColumns, withRoom } from './columns.ts'
import { GREEKS, type TapeGreeks } from './fold.ts'

type Precision = Float32ArrayConstructor | Float64ArrayConstructor

/** How much longer than needed columns grow: a minute adds few rows, and there is a table for each followed symbol. */
const GROWTH = 1.05

/** A snapshot that a late print may still need, with the greeks of all places. */
interface WholeSnapshot {
  /** Time from which its greeks hold, microseconds. */
  readonly since: number
  /** The last row of the tape that was counted with it; -1 if none was. */
  lastRow: number
  /** Greeks of the first place, then of the second and so on. Never changed. */
  readonly values: Float64Array
  /** 1 for each place of which a print was counted with it. */
  readonly isUsed: Uint8Array
  /** The same places, in the order in which they came. */
  readonly used: number[]
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
 * prints may be taken back. A place is the number of an instrument, or its index among those that the fold counts.
 */
export interface KeptGreeks {
  /** Precision of older snapshots. A fold that keeps single precision rounds to it, so that a print and its cancel find the same. */
  readonly precision: Precision
  /** A print that is at most this much older than the newest snapshot finds the greeks of its time. Microseconds. */
  readonly late: number
  /** The newest snapshots, oldest first. */
  readonly whole: WholeSnapshot[]
  snapshots: ColumnsOf<typeof snapshotKinds>
  snapshotCount: number
  /** The places that the older snapshots still have, and their greeks. */
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
 * cancels cannot come any more. `instruments` has the instrument of each place, unless places are instruments.
 */
export function keepGreeks(
  kept: KeptGreeks,
  greeks: TapeGreeks,
  places: number,
  dropped: number,
  instruments?: readonly number[]
): void {
  const { whole, late } = kept
  const { since } = greeks
  const newest = whole.at(-1)
  const isKnown = newest?.since === since
  if (isKnown && newest.isUsed.length === places) return
  const values = instruments === undefined ? greeks.values : greeksOf(greeks.values, instruments)
  const isUsed = new Uint8Array(places)
  if (isKnown) {
    isUsed.set(newest.isUsed)
    whole[whole.length - 1] = { ...newest, values, isUsed }
    return
  }
  whole.push({ since, lastRow: -1, values, isUsed, used: [] })
  while (whole.length > 1 && whole[1].since < since - late) shrink(kept, whole.shift()!)
  forget(kept, dropped)
}

function greeksOf(all: Float64Array, instruments: readonly number[]): Float64Array {
  const values = new Float64Array(GREEKS * instruments.length)
  for (let place = 0; place < instruments.length; place++) {
    for (let k = 0; k < GREEKS; k++) values[GREEKS * place + k] = all[GREEKS * instruments[place] + k]
  }
  return values
}

/**
 * Copies delta, gamma and vega of the newest snapshot known before `ts`, and notes that they are counted with a row of the
 * tape. False if no snapshot was known, or it has no greeks of this place any more. A snapshot that comes later counts as
 * known after every earlier row.
 */
export function readGreeks(kept: KeptGreeks, ts: number, place: number, row: number, into: Float64Array): boolean {
  const { whole } = kept
  const last = whole.length - 1
  if (last >= 0 && ts > whole[last].since) return readWhole(whole[last], place, row, into)
  return readEarlier(kept, ts, place, row, into)
}

function readEarlier(kept: KeptGreeks, ts: number, place: number, row: number, into: Float64Array): boolean {
  const snapshot = kept.whole.findLast(({ since }) => since < ts)
  return snapshot === undefined ? readOlder(kept, ts, place, row, into) : readWhole(snapshot, place, row, into)
}

function readWhole(snapshot: WholeSnapshot, place: number, row: number, into: Float64Array): boolean {
  const { values, isUsed } = snapshot
  if (place >= isUsed.length) return false
  if (isUsed[place] === 0) markUsed(snapshot, place)
  snapshot.lastRow = Math.max(snapshot.lastRow, row)
  into[0] = values[GREEKS * place]
  into[1] = values[GREEKS * place + 1]
  into[2] = values[GREEKS * place + 2]
  return true
}

/** Notes that a print was counted with the greeks of a place; call it once for each place. */
export function markUsed({ isUsed, used }: WholeSnapshot, place: number): void {
  isUsed[place] = 1
  used.push(place)
}

function readOlder(kept: KeptGreeks, ts: number, place: number, row: number, into: Float64Array): boolean {
  const { snapshots, places } = kept
  let k = kept.snapshotCount - 1
  while (k >= 0 && snapshots.since[k] >= ts) k--
  if (k < 0) return false
  const first = k === 0 ? 0 : snapshots.end[k - 1]
  const at = places.place.subarray(first, snapshots.end[k]).indexOf(place)
  if (at < 0) return false
  snapshots.lastRow[k] = Math.max(snapshots.lastRow[k], row)
  into[0] = places.delta[first + at]
  into[1] = places.gamma[first + at]
  into[2] = places.vega[first + at]
  return true
}

export const copyOfGreeks = (kept: KeptGreeks): KeptGreeks => ({
  ...kept,
  whole: kept.whole.map((snapshot) => ({ ...snapshot, isUsed: snapshot.isUsed.slice(), used: [...snapshot.used] })),
  snapshots: copyOf(kept.snapshots),
  places: copyOf(kept.places)
})

/** Moves the greeks that prints were counted with to the older ones. */
function shrink(kept: KeptGreeks, { since, lastRow, values, used }: WholeSnapshot): void {
  kept.places = withRoom(kept.places, kept.placeCount + used.length, GROWTH)
  const { place, delta, gamma, vega } = kept.places
  for (const its of used) {
    const row = kept.placeCount++
    place[row] = its
    delta[row] = values[GREEKS * its]
    gamma[row] = values[GREEKS * its + 1]
    vega[row] = values[GREEKS * its + 2]
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
