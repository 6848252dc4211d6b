import { NIGHT } from '../../../state/chart/sessions.ts'
import { type Layer, middleOf, type Scene } from '../scene.ts'
import { line } from '../strokes.ts'

/** Below this pitch a bar is a line from low to high. */
const BARE = 2.6
const WIDEST = 14

/** Rising bars are light and falling ones grey: blue and orange mean calls and puts here. */
export const candles: Layer = (pen, scene) => {
  const { first, last } = scene
  if (last < first) return undefined
  if (isSampled(scene)) paintCloses(pen, scene)
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
  const isBare = pitch < BARE
  const body = isBare ? Math.max(1, pitch * 0.8) : Math.max(1.6, Math.min(WIDEST, pitch * 0.68))
  for (const rises of [true, false]) {
    pen.fillStyle = rises ? ink.price : ink['ink-3']
    for (let i = first; i <= last; i++) {
      if (shown.c[i]! >= shown.o[i]! !== rises) continue
      const middle = middleOf(scene, i)
      const [high, low] = [y(shown.h[i]!), y(shown.l[i]!)]
      const wick = isBare ? body : 1
      pen.fillRect(Math.round(middle - wick / 2), high, wick, Math.max(1, low - high))
      if (isBare) continue
      const [open, close] = [y(shown.o[i]!), y(shown.c[i]!)]
      pen.fillRect(
        Math.round(middle - body / 2),
        Math.min(open, close),
        Math.round(body),
        Math.max(1, Math.abs(open - close))
      )
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
