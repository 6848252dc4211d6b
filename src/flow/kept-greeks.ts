import type { TapeGreeks } from './fold.ts'

/** Numbers of a row of greeks: delta, gamma and vega per share. */
const GREEKS = 3

/** Greeks of one snapshot. */
export interface KeptGreeks {
  /** Time from which they hold, microseconds. */
  readonly since: number
  /** No print after this position on the tape was counted with them; -1 if none was. */
  newestRow: number
  /** 1 for each series of the tape of which a print was counted with them. */
  used: Uint8Array
  /** Greeks of all series; undefined once no late print needs them any more. */
  all: TapeGreeks | undefined
  /** The series that are left then, ascending, and their greeks: `GREEKS` numbers each. */
  series: Int32Array
  greeks: Float32Array
}

/** A print that is at most this much older than the newest snapshot finds the greeks of its time. Microseconds. */
const LATE = 60_000_000

const none = { series: new Int32Array(0), greeks: new Float32Array(0) }

/**
 * Adds the newest snapshot, or its values for new series. Snapshots that no late print needs shrink to the series that
 * were counted with them, and go once the tape has dropped the last of these prints: their cancels cannot come any more.
 * `dropped` is the number of rows that the tape has dropped.
 */
export function keepGreeks(kept: KeptGreeks[], greeks: TapeGreeks, series: number, dropped: number): void {
  const newest = kept.at(-1)
  const { since } = greeks
  if (newest?.since === since) {
    if (newest.used.length === series) return
    const used = new Uint8Array(series)
    used.set(newest.used)
    newest.used = used
    newest.all = greeks
    return
  }
  kept.push({ since, newestRow: -1, used: new Uint8Array(series), all: greeks, ...none })
  let left = 0
  for (const [at, snapshot] of kept.entries()) {
    const isForLate = at + 1 === kept.length || kept[at + 1].since >= since - LATE
    if (!isForLate && snapshot.newestRow < dropped) continue
    if (!isForLate && snapshot.all !== undefined) shrink(snapshot, snapshot.all)
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

/**
 * Copies delta, gamma and vega of a series in single precision, in which all of them can be kept; false if the snapshot
 * has none.
 */
export function readGreeks({ all, used, series, greeks }: KeptGreeks, instrument: number, into: Float32Array): boolean {
  if (all !== undefined) {
    if (instrument >= used.length) return false
    used[instrument] = 1
    into[0] = all.delta[instrument]
    into[1] = all.gamma[instrument]
    into[2] = all.vega[instrument]
    return true
  }
  const row = series.indexOf(instrument)
  if (row < 0) return false
  into.set(greeks.subarray(GREEKS * row, GREEKS * (row + 1)))
  return true
}

export const copyOfGreeks = (kept: readonly KeptGreeks[]): KeptGreeks[] =>
  kept.map((snapshot) => ({ ...snapshot, used: snapshot.used.slice() })) // the other columns are never written

function shrink(snapshot: KeptGreeks, { delta, gamma, vega }: TapeGreeks): void {
  const { used } = snapshot
  let count = 0
  for (let k = 0; k < used.length; k++) count += used[k]
  const series = new Int32Array(count)
  const greeks = new Float32Array(GREEKS * count)
  for (let k = 0, row = 0; row < count; k++) {
    if (used[k] === 0) continue
    series[row] = k
    greeks[GREEKS * row] = delta[k]
    greeks[GREEKS * row + 1] = gamma[k]
    greeks[GREEKS * row + 2] = vega[k]
    row++
  }
  snapshot.series = series
  snapshot.greeks = greeks
  snapshot.used = new Uint8Array(0)
  snapshot.all = undefined
}
