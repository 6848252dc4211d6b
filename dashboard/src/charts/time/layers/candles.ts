import { NIGHT } from '../../../state/chart/sessions.ts'
import { type Layer, middleOf, type Scene } from '../scene.ts'
import { line } from '../strokes.ts'

/** Below this pitch a bar is a line from low to high. */
const BARE = 2.6
const WIDEST = 14

/** Below this width a body is not hollow. */
const ROOMY = 3

/** Bars as the reader wants them, unless they hold one price each. */
export const candles: Layer = (pen, scene) => {
  const { first, last } = scene
  if (last < first) return undefined
  if (scene.data.candles === 'line' || isSampled(scene)) paintCloses(pen, scene)
  else paintBodies(pen, scene)
  return spanOf(scene)
}

/** Whether most seen bars hold one price alone, as those of single snapshots do: a line says more than dashes then. */
function isSampled({ shown, first, last }: Scene): boolean {
  let flat = 0
  for (let i = first; i <= last; i++) if (shown.h[i] === shown.l[i]) flat++
  return 2 * flat > last - first + 1
}

/** Closes joined within each session. */
function paintCloses(pen: CanvasRenderingContext2D, scene: Scene): void {
  const { shown, first, last, ink, y, data, size } = scene
  const isDaily = data.step > NIGHT
  line(pen, ink.price, 1.6, [], () => {
    for (let i = first; i <= last; i++) {
      const isNext = i > first && (isDaily || shown.t[i]! - shown.t[i - 1]! < NIGHT + data.step * size)
      pen[isNext ? 'lineTo' : 'moveTo'](middleOf(scene, i), y(shown.c[i]!))
    }
  })
}

function paintBodies(pen: CanvasRenderingContext2D, scene: Scene): void {
  const { shown, first, last, pitch, ink, y } = scene
  const { candles: kind } = scene.data
  const isBare = pitch < BARE
  const body = isBare ? Math.max(1, pitch * 0.8) : Math.max(1.6, Math.min(WIDEST, pitch * 0.68))
  const isHollow = kind === 'hollow' && body >= ROOMY
  // Quiet ones are light and grey, because blue and orange mean calls and puts here.
  const [up, down] = kind === 'colour' ? [ink.good, ink.bad] : [ink.price, isHollow ? ink.price : ink['ink-3']]
  for (const rises of [true, false]) {
    pen.fillStyle = rises ? up : down
    pen.strokeStyle = up
    pen.lineWidth = 1
    for (let i = first; i <= last; i++) {
      if (shown.c[i]! >= shown.o[i]! !== rises) continue
      const middle = middleOf(scene, i)
      const [high, low] = [y(shown.h[i]!), y(shown.l[i]!)]
      const wick = isBare ? body : 1
      const left = Math.round(middle - wick / 2)
      const [open, close] = [y(shown.o[i]!), y(shown.c[i]!)]
      const [top, bottom] = [Math.min(open, close), Math.max(open, close)]
      if (isHollow && rises) {
        // Nothing of the wick is seen inside.
        pen.fillRect(left, high, wick, top - high)
        pen.fillRect(left, bottom, wick, low - bottom)
        const edge = Math.round(middle - body / 2) + 0.5
        pen.strokeRect(edge, top, Math.round(body) - 1, Math.max(1, bottom - top))
        continue
      }
      pen.fillRect(left, high, wick, Math.max(1, low - high))
      if (!isBare) pen.fillRect(Math.round(middle - body / 2), top, Math.round(body), Math.max(1, bottom - top))
    }
  }
}

function spanOf({ data, shown, first, last, size }: Scene) {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let i = first; i <= last; i++) {
    low = Math.min(low, shown.l[i]!)
    high = Math.max(high, shown.h[i]!)
  }
  const end = Math.min(data.bars.t.length, (last + 1) * size) - 1
  return { bars: [first * size, end], prices: [low, high] } as const
}
