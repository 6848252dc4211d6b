import { STANDS } from '../../../state/chart/sessions.ts'
import type { Pane } from '../data.ts'
import { type Box, type Layer, middleOf, type Scene } from '../scene.ts'
import { crisp, line, within, word } from '../strokes.ts'
import { valuesAt } from './levels.ts'

/** Room above the figures for their name. */
const [HEAD, FOOT] = [20, 6] as const

/** Figures below the prices, each in a box of its own. */
export const panes: Layer = (pen, scene) => {
  scene.data.panes.forEach((pane, k) => {
    paint(pen, scene, pane, scene.panes[k]!)
  })
  return scene.data.panes.length === 0 ? undefined : { bars: [scene.first * scene.size, scene.last * scene.size] }
}

function paint(pen: CanvasRenderingContext2D, scene: Scene, pane: Pane, box: Box): void {
  const { ink, first, last, level, axis, width } = scene
  line(pen, ink.line, 1, [], () => {
    pen.moveTo(0, crisp(box.top))
    pen.lineTo(width, crisp(box.top))
  })
  const values = valuesAt(pane.values, level)
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let i = first; i <= last; i++) {
    if (values[i]! < low) low = values[i]!
    if (values[i]! > high) high = values[i]!
  }
  if (low > high) return
  const isBars = pane.shape === 'bars'
  const [bottom, top] = isBars
    ? [Math.min(0, low), Math.max(0, high)]
    : low === high
      ? [low - 1, high + 1]
      : [low, high]
  const y = (value: number) =>
    box.top + HEAD + (1 - (value - bottom) / (top - bottom || 1)) * (box.height - HEAD - FOOT)
  within(pen, box, () => (isBars ? paintBars(pen, scene, values, y) : paintLine(pen, scene, values, y)))
  const font = scene.font(11)
  const labels =
    isBars && bottom < 0 && top > 0 ? [top, 0, bottom] : isBars ? [top > 0 ? top : bottom, 0] : [top, bottom]
  let free = Number.NEGATIVE_INFINITY
  for (const value of labels) {
    if (y(value) - free < 13) continue
    free = y(value)
    word(pen, { text: value === 0 ? '0' : pane.write(value), x: axis + 8, y: y(value), colour: ink['ink-3'], font })
  }
}

function paintBars(
  pen: CanvasRenderingContext2D,
  scene: Scene,
  values: Float64Array,
  y: (value: number) => number
): void {
  const { first, last, pitch, ink, plot } = scene
  const width = Math.max(1, pitch * 0.72)
  for (const isUp of [true, false]) {
    pen.fillStyle = isUp ? ink.call : ink.put
    pen.globalAlpha = 0.78
    for (let i = first; i <= last; i++) {
      const value = values[i]!
      if (!(isUp ? value > 0 : value < 0)) continue
      const [from, to] = [y(0), y(value)]
      pen.fillRect(middleOf(scene, i) - width / 2, Math.min(from, to), width, Math.max(1, Math.abs(to - from)))
    }
    pen.globalAlpha = 1
  }
  line(pen, ink['line-strong'], 1, [], () => {
    pen.moveTo(0, crisp(y(0)))
    pen.lineTo(plot.width, crisp(y(0)))
  })
}

function paintLine(
  pen: CanvasRenderingContext2D,
  scene: Scene,
  values: Float64Array,
  y: (value: number) => number
): void {
  const { t } = scene.data.bars
  const { size } = scene
  line(pen, scene.ink.warn, 1.5, [], () => {
    let known = -1
    for (let i = scene.first; i <= scene.last; i++) {
      const value = values[i] ?? Number.NaN
      if (Number.isNaN(value)) continue
      const isJoined = known >= 0 && (known === i - 1 || t[i * size]! - t[known * size]! <= STANDS)
      pen[isJoined ? 'lineTo' : 'moveTo'](middleOf(scene, i), y(value))
      known = i
    }
  })
}
