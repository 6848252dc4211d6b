import { price } from '../../../parts/format.ts'
import { dayOf, newYork } from '../../../state/day/time.ts'
import { priceAt, type Scene } from '../scene.ts'
import { crisp, label, line } from '../strokes.ts'

/** Place of the pointer, or of the keys that move the crosshair. */
export interface Pointed {
  /** Position of a bar; undefined: right of the bars. */
  readonly bar: number | undefined
  /** CSS pixels from the top; undefined: moved by keys along the closes. */
  readonly y: number | undefined
}

/** The beginning of a bar, milliseconds, in words; of a day its date. */
export function momentText(time: number, step: number): string {
  const wall = newYork(time)
  const day = dayOf(wall.slice(0, 10))
  return step >= 23_400_000 ? day : `${day} ${wall.slice(11, 16)}`
}

/** The name of each pane with its figure at the bar of the crosshair, or at the last one. */
export function paneTitles(pen: CanvasRenderingContext2D, scene: Scene, pointed: Pointed | undefined): void {
  const { data, ink, font, panes } = scene
  const bar = pointed?.bar ?? data.bars.t.length - 1
  data.panes.forEach(({ title, values, write }, k) => {
    const value = values[bar] ?? Number.NaN
    const text = Number.isNaN(value) ? title : `${title}  ${write(value)}`
    label(pen, {
      text,
      x: 8,
      y: panes[k]!.top + 11,
      from: 'left',
      ground: ink.panel,
      colour: ink['ink-2'],
      font: font(11, 600)
    })
  })
}

/** A line through the bar and the price under the pointer, with both on the axes. */
export function crosshair(pen: CanvasRenderingContext2D, scene: Scene, { bar, y: height }: Pointed): void {
  const { plot, axis, foot, ink, x, y, font } = scene
  const strong = font(11, 600)
  const across = height ?? (bar === undefined ? undefined : y(scene.data.bars.c[bar]!))
  if (across !== undefined && across <= plot.height) {
    line(pen, ink['ink-2'], 1, [3, 3], () => {
      pen.moveTo(0, crisp(across))
      pen.lineTo(axis, crisp(across))
    })
    label(pen, {
      text: price(priceAt(scene, across)),
      x: axis + 1,
      y: across,
      from: 'left',
      ground: ink.raised,
      colour: ink.ink,
      font: strong,
      isSolid: true
    })
  }
  if (bar === undefined) return
  const middle = x(bar + 0.5)
  if (middle < 0 || middle > plot.width) return
  line(pen, ink['ink-2'], 1, [3, 3], () => {
    pen.moveTo(crisp(middle), 0)
    pen.lineTo(crisp(middle), foot)
  })
  pen.font = strong
  const text = momentText(scene.data.bars.t[bar]!, scene.data.step)
  const half = pen.measureText(text).width / 2 + 6
  label(pen, {
    text,
    x: Math.min(axis - 2 * half, Math.max(0, middle - half)),
    y: foot + 13,
    from: 'left',
    ground: ink.raised,
    colour: ink.ink,
    font: strong,
    isSolid: true
  })
}
