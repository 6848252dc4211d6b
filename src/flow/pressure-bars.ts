import type { Instant } from '../market/units.ts'
import { SAMPLE_STEP } from '../market/zero-dte-sample.ts'

const MICROSECONDS = 1000
/** Length of a bar, microseconds. */
export const BAR = SAMPLE_STEP * MICROSECONDS
/** Number of newest bars that are kept apart. A view needs the bar that ended last and those after it. */
const KEPT_BARS = 20

/** Sums of classes of prints, whole cents: those of the newest bars apart, the key counts bars since 1970. */
export interface PressureBars {
  readonly before: Float64Array
  readonly bars: Map<number, Float64Array>
}

export const noBars = (cells: number): PressureBars => ({ before: new Float64Array(cells), bars: new Map() })

/** The sums to which prints of a bar are added. Late prints of bars that are no longer kept go to all that was before. */
export function sumsOfBar({ before, bars }: PressureBars, bar: number): Float64Array {
  const found = bars.get(bar)
  if (found !== undefined) return found
  const first = Math.max(bar, ...bars.keys()) - KEPT_BARS + 1
  if (bar < first) return before
  for (const [old, cells] of bars) {
    if (old >= first) continue
    for (let cell = 0; cell < before.length; cell++) before[cell] += cells[cell]
    bars.delete(old)
  }
  const cells = new Float64Array(before.length)
  bars.set(bar, cells)
  return cells
}

/** Sums of everything before `end`, and of the bar that ends then. */
export function pressureUntil({ before, bars }: PressureBars, end: Instant) {
  const last = (end * MICROSECONDS) / BAR - 1
  const sum = before.slice()
  for (const [bar, cells] of bars)
    if (bar <= last) for (let cell = 0; cell < sum.length; cell++) sum[cell] += cells[cell]
  return { sum, inside: bars.get(last)?.slice() ?? new Float64Array(sum.length) }
}

export const copyOfBars = ({ before, bars }: PressureBars): PressureBars => ({
  before: before.slice(),
  bars: new Map([...bars].map(([bar, cells]) => [bar, cells.slice()]))
})
