import type { Bars } from '../../state/chart/history.ts'
import { lastUpTo } from './bars.ts'

/** The seen part of the bars, in positions of bars: 2.5 is the middle of the third. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Least count of bars that can be seen. */
const NEAREST = 8
/** Share of the span that may stay empty beyond either end. */
const BEYOND = 0.6

/** The span after zooming by a factor (above 1: more bars) around a position, which keeps its place. */
export function zoomed({ from, to }: Span, by: number, around: number, count: number): Span {
  const length = Math.min(Math.max(NEAREST, count * 1.5), Math.max(NEAREST, (to - from) * by))
  const share = (around - from) / (to - from)
  return { from: around - share * length, to: around + (1 - share) * length }
}

/** The span moved so far that bars stay in sight. */
export function bounded({ from, to }: Span, count: number): Span {
  const length = to - from
  const last = count + length * BEYOND
  if (to > last) return { from: last - length, to: last }
  const first = -length * BEYOND
  return from < first ? { from: first, to: first + length } : { from, to }
}

export const panned = ({ from, to }: Span, by: number): Span => ({ from: from + by, to: to + by })

/** Mean time between bars, nights included, milliseconds. */
function meanStep({ t }: Bars): number {
  return t.length < 2 ? 60_000 : (t.at(-1)! - t[0]!) / (t.length - 1)
}

/** The time at a position; beyond the bars by their mean distance. */
export function timeAt(bars: Bars, position: number): number {
  const { t } = bars
  const last = t.length - 1
  if (position < 0) return t[0]! + position * meanStep(bars)
  if (position > last) return t[last]! + (position - last) * meanStep(bars)
  const left = Math.floor(position)
  return t[left]! + (position - left) * ((t[left + 1] ?? t[left]!) - t[left]!)
}

/** The position of a time, the reverse of `timeAt`. */
export function positionOf(bars: Bars, time: number): number {
  const { t } = bars
  const at = lastUpTo(t, time)
  if (at < 0) return (time - t[0]!) / meanStep(bars)
  if (at === t.length - 1) return at + (time - t[at]!) / meanStep(bars)
  return at + (time - t[at]!) / (t[at + 1]! - t[at]!)
}

interface Fitted {
  readonly bars: Bars
  /** Positions of the first and the last seen bar. */
  readonly seen: readonly [number, number]
  /** Prices that are included if they are near. */
  readonly levels: readonly number[]
  /** Prices that are always included. */
  readonly held: readonly number[]
  /** Half the window in percent of its middle; undefined: by what is seen. */
  readonly range: number | undefined
}

/** Lowest and highest price of a chart: of the seen bars, with room around them and the levels near by. */
export function priceRange({ bars, seen: [first, last], levels, held, range }: Fitted): readonly [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let i = first; i <= last; i++) {
    if (bars.l[i]! < low) low = bars.l[i]!
    if (bars.h[i]! > high) high = bars.h[i]!
  }
  if (low > high) return [0, 1]
  const middle = (low + high) / 2
  if (range !== undefined) return [middle * (1 - range / 100), middle * (1 + range / 100)]
  const reach = Math.max((high - low) * 0.72, middle * 0.006)
  const near = levels.filter((level) => level > low - reach && level < high + reach)
  const lowest = Math.min(low - reach * 0.2, ...held, ...near.map((level) => level - reach * 0.08))
  const highest = Math.max(high + reach * 0.2, ...held, ...near.map((level) => level + reach * 0.08))
  // The foot is free for the volume.
  return [lowest - (highest - lowest) * 0.1, highest]
}
