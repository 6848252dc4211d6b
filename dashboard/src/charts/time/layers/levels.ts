import { STANDS } from '../../../state/chart/sessions.ts'
import { thinned } from '../bars.ts'
import type { LevelLine } from '../data.ts'
import { inkOf } from '../inks.ts'
import type { Layer, Scene } from '../scene.ts'
import { line, segment } from '../strokes.ts'

const levelsOf = new WeakMap<Float64Array, readonly Float64Array[]>()

/** Values of a line at a level of the pyramid, made once for each line. */
export function valuesAt(values: Float64Array, level: number): Float64Array {
  let made = levelsOf.get(values)
  if (made === undefined) levelsOf.set(values, (made = thinned(values)))
  return made[Math.min(level, made.length - 1)]!
}

/** A jump of less than this share of the height is joined faintly, since the level moved on; a longer one is not. */
const JOINED = 0.12

/**
 * Levels as they were at each bar: steps for strikes, lines for the flip. A level stands until the next snapshot, for half an
 * hour at most. Else nothing is drawn where none was known.
 */
export const levels: Layer = (pen, scene) => {
  const { data, first, last } = scene
  const drawn = data.lines.filter((each) => paint(pen, scene, each) > 0)
  return drawn.length === 0 ? undefined : { bars: [first * scene.size, last * scene.size] }
}

/** Draws one level and gives back the number of its bars. */
function paint(pen: CanvasRenderingContext2D, scene: Scene, of: LevelLine): number {
  const { x, y, first, last, size, plot, ink, level } = scene
  const values = valuesAt(of.values, level)
  const { t } = scene.data.bars
  const jumps: (readonly [at: number, from: number, to: number])[] = []
  const end = Math.min(t.length, (last + 1) * size)
  let count = 0
  pen.globalAlpha = 0.92
  const trace = () => {
    let known = -1
    for (let i = first; i <= last; i++) {
      const value = values[i] ?? Number.NaN
      if (Number.isNaN(value)) continue
      const [left, right, height] = [x(i * size), x(Math.min(end, (i + 1) * size)), y(value)]
      const stands = known >= 0 && (known === i - 1 || t[i * size]! - t[known * size]! <= STANDS)
      const before = stands ? values[known]! : Number.NaN
      if (stands && of.isStep && known < i - 1) pen.lineTo(left, y(before))
      if (!stands) pen.moveTo(left, height)
      else if (of.isStep && value !== before) {
        if (Math.abs(y(before) - height) < plot.height * JOINED) jumps.push([left, y(before), height])
        pen.moveTo(left, height)
      } else if (!of.isStep) pen.lineTo((left + right) / 2, height)
      if (of.isStep || i === last) pen.lineTo(right, height)
      count++
      known = i
    }
  }
  // On the strongest tint of the map the colours of most levels alone have less contrast than 2 : 1.
  line(pen, inkOf(ink, of.tone), of.dash.length === 0 ? 1.6 : 1.5, of.dash, trace, ink.panel)
  pen.globalAlpha = 0.28
  line(pen, inkOf(ink, of.tone), 1, of.dash, () => {
    for (const [at, from, to] of jumps) segment(pen, at, from, at, to)
  })
  pen.globalAlpha = 1
  return count
}
