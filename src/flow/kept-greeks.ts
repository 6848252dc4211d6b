import type { TapeGreeks } from './fold.ts'

/** Greeks per share of one snapshot. */
export interface KeptGreeks {
  /** Time from which they hold, microseconds. */
  readonly since: number
  /** Position on the tape of the newest print that was counted with them; -1 if none was. */
  newestRow: number
  /** The series of each row, ascending; undefined while there is a row for every series of the tape. */
  series: Int32Array | undefined
  delta: Float64Array
  gamma: Float64Array
  vega: Float64Array
  /** 1 for each row with which a print was counted. */
  used: Uint8Array
}

/** A print that is at most this much older than the newest snapshot finds the greeks of its time. Microseconds. */
const LATE = 10 * 60_000_000

/**
 * Adds the newest snapshot, or its values for new series. Snapshots that no late print needs shrink to the series that
 * were counted with them, and go once the tape has dropped the last of these prints: their cancels cannot come any more.
 * `dropped` is the number of rows that the tape has dropped.
 */
export function keepGreeks(kept: KeptGreeks[], greeks: TapeGreeks, series: number, dropped: number): void {
  const newest = kept.at(-1)
  if (newest?.since === greeks.since) {
    if (newest.used.length < series) grow(newest, greeks, series)
    return
  }
  const { since, delta, gamma, vega } = greeks
  const own = (column: Float64Array) => column.slice(0, series)
  kept.push({
    since,
    newestRow: -1,
    series: undefined,
    delta: own(delta),
    gamma: own(gamma),
    vega: own(vega),
    used: new Uint8Array(series)
  })
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
  kept.map((snapshot) => ({ ...snapshot, used: snapshot.used.slice() })) // other columns are replaced, never written

function grow(snapshot: KeptGreeks, greeks: TapeGreeks, series: number): void {
  const known = snapshot.used.length
  for (const name of ['delta', 'gamma', 'vega'] as const) {
    const longer = new Float64Array(series)
    longer.set(snapshot[name])
    longer.set(greeks[name].subarray(known, series), known)
    snapshot[name] = longer
  }
  const used = new Uint8Array(series)
  used.set(snapshot.used)
  snapshot.used = used
}

function shrink(snapshot: KeptGreeks): void {
  const rows: number[] = []
  snapshot.used.forEach((isUsed, row) => {
    if (isUsed === 1) rows.push(row)
  })
  for (const name of ['delta', 'gamma', 'vega'] as const) {
    const column = snapshot[name]
    snapshot[name] = Float64Array.from(rows, (row) => column[row])
  }
  snapshot.series = Int32Array.from(rows)
  snapshot.used = new Uint8Array(rows.length).fill(1)
}
