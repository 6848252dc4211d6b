import type { TapeGreeks } from './fold.ts'

/** Numbers of a row of greeks: delta, gamma and vega per share. */
export const GREEKS = 3

/** Greeks of one snapshot, in single precision. */
export interface KeptGreeks {
  /** Time from which they hold, microseconds. */
  readonly since: number
  /** No print after this position on the tape was counted with them; -1 if none was. */
  newestRow: number
  /** The series of each row, ascending; undefined while there is a row for every series of the tape. */
  series: Int32Array | undefined
  /** `GREEKS` numbers for each row. */
  greeks: Float32Array
  /** 1 for each row with which a print was counted. */
  used: Uint8Array
}

/** A print that is at most this much older than the newest snapshot finds the greeks of its time. Microseconds. */
const LATE = 2 * 60_000_000

/**
 * Adds the newest snapshot, or its values for new series. Snapshots that no late print needs shrink to the series that
 * were counted with them, and go once the tape has dropped the last of these prints: their cancels cannot come any more.
 * `dropped` is the number of rows that the tape has dropped.
 */
export function keepGreeks(kept: KeptGreeks[], greeks: TapeGreeks, series: number, dropped: number): void {
  const newest = kept.at(-1)
  const { since } = greeks
  if (newest?.since === since) {
    if (newest.used.length < series) grow(newest, greeks, series)
    return
  }
  const added = { since, newestRow: -1, series: undefined, greeks: new Float32Array(0), used: new Uint8Array(0) }
  grow(added, greeks, series)
  kept.push(added)
  let left = 0
  for (const [at, snapshot] of kept.entries()) {
    const isForLate = at + 1 === kept.length || kept[at + 1].since >= since - LATE
    if (!isForLate && snapshot.newestRow < dropped) continue
    if (!isForLate && snapshot.series === undefined) shrink(snapshot)
    kept[left++] = snapshot
  }
  kept.length = left
}

/** The newest snapshot known before `ts`. A snapshot that comes later counts as known after every earlier row. */
export function greeksAt(kept: readonly KeptGreeks[], ts: number): KeptGreeks | undefined {
  let at = kept.length - 1
  while (at >= 0 && kept[at].since >= ts) at--
  return kept[at]
}

/** Row of a series; -1 if there is none. */
export function rowOf({ series, used }: KeptGreeks, instrument: number): number {
  if (series === undefined) return instrument < used.length ? instrument : -1
  let [low, high] = [0, series.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (series[middle] < instrument) low = middle + 1
    else high = middle
  }
  return series[low] === instrument ? low : -1
}

export const copyOfGreeks = (kept: readonly KeptGreeks[]): KeptGreeks[] =>
  kept.map((snapshot) => ({ ...snapshot, used: snapshot.used.slice() })) // the other columns are never written

function grow(snapshot: KeptGreeks, { delta, gamma, vega }: TapeGreeks, series: number): void {
  const longer = new Float32Array(GREEKS * series)
  longer.set(snapshot.greeks)
  for (let k = snapshot.used.length; k < series; k++) {
    longer[GREEKS * k] = delta[k]
    longer[GREEKS * k + 1] = gamma[k]
    longer[GREEKS * k + 2] = vega[k]
  }
  const used = new Uint8Array(series)
  used.set(snapshot.used)
  snapshot.greeks = longer
  snapshot.used = used
}

function shrink(snapshot: KeptGreeks): void {
  const { greeks, used } = snapshot
  const rows = Int32Array.from(used.keys()).filter((row) => used[row] === 1)
  snapshot.greeks = new Float32Array(GREEKS * rows.length)
  for (const [to, row] of rows.entries())
    snapshot.greeks.set(greeks.subarray(GREEKS * row, GREEKS * (row + 1)), GREEKS * to)
  snapshot.series = rows
  snapshot.used = new Uint8Array(rows.length).fill(1)
}
