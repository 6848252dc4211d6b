import type { Bars } from '../../state/chart/history.ts'

/** Bars that a group of the next level holds. */
export const GROUP = 4
/** A level with so few bars is the last. */
const FEW = 400

export const COLUMNS = ['t', 'o', 'h', 'l', 'c', 'v'] as const

const emptyBars = (count: number): Bars => {
  const column = () => new Float64Array(count)
  return { t: column(), o: column(), h: column(), l: column(), c: column(), v: column() }
}

/** Writes group `at` of `to` from the bars of `of`: first open, highest high, lowest low, last close, sum of volumes. */
function join(of: Bars, to: Bars, at: number): void {
  const first = at * GROUP
  const end = Math.min(of.t.length, first + GROUP)
  let [high, low, volume] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NaN]
  for (let i = first; i < end; i++) {
    if (of.h[i]! > high) high = of.h[i]!
    if (of.l[i]! < low) low = of.l[i]!
    if (!Number.isNaN(of.v[i]!)) volume = (Number.isNaN(volume) ? 0 : volume) + of.v[i]!
  }
  to.t[at] = of.t[first]!
  to.o[at] = of.o[first]!
  to.h[at] = high
  to.l[at] = low
  to.c[at] = of.c[end - 1]!
  to.v[at] = volume
}

/** The bars, then levels of which each holds groups of four of the one before, so that a frame costs the same for any count. */
export function pyramidOf(bars: Bars): readonly Bars[] {
  const levels = [bars]
  for (let of = bars; of.t.length > FEW; ) {
    const next = emptyBars(Math.ceil(of.t.length / GROUP))
    for (let at = 0; at < next.t.length; at++) join(of, next, at)
    levels.push(next)
    of = next
  }
  return levels
}

/** Makes the last group of each level again, after the last bar changed in place. */
export function refreshEnd(pyramid: readonly Bars[]): void {
  for (let k = 1; k < pyramid.length; k++) join(pyramid[k - 1]!, pyramid[k]!, pyramid[k]!.t.length - 1)
}

/** Values of the bars, then the last value of each group for every level of the pyramid. */
export function thinned(values: Float64Array): readonly Float64Array[] {
  const levels = [values]
  for (let of = values; of.length > FEW; ) {
    const next = new Float64Array(Math.ceil(of.length / GROUP))
    for (let at = 0; at < next.length; at++) next[at] = of[Math.min(of.length - 1, at * GROUP + GROUP - 1)]!
    levels.push(next)
    of = next
  }
  return levels
}

/** The values with one more at the end. */
export function appended(values: Float64Array, value: number): Float64Array {
  const longer = new Float64Array(values.length + 1)
  longer.set(values)
  longer[values.length] = value
  return longer
}

/** Least pixels of a bar or group that is drawn. */
const THINNEST = 1.4

/** The finest level of a pyramid whose groups are wide enough to draw. */
export function levelFor(levels: number, pixelsPerBar: number): number {
  let k = 0
  while (k < levels - 1 && pixelsPerBar * GROUP ** k < THINNEST) k++
  return k
}

/** The position of the last value of an ascending column that is at most `wanted`; -1 if all are larger. */
export function lastUpTo(column: ArrayLike<number>, wanted: number): number {
  let [low, high] = [0, column.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (column[middle]! <= wanted) low = middle + 1
    else high = middle
  }
  return low - 1
}
