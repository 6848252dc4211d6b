import { font } from './ink.ts'
import type { PlotCanvas } from './plot/plot-canvas.ts'

/** Canvas drawing in device pixels, which plots use too. */

type Pen = CanvasRenderingContext2D

export const ratio = () => devicePixelRatio

export function rule(
  pen: Pen,
  [x0, x1]: readonly [number, number],
  y: number,
  colour: string,
  dash: readonly number[],
  width = 1
) {
  stroke(pen, colour, width, dash, () => {
    pen.moveTo(x0, y)
    pen.lineTo(x1, y)
  })
}

export function stroke(pen: Pen, colour: string, width: number, dash: readonly number[], path: () => void) {
  pen.save()
  pen.strokeStyle = colour
  pen.lineWidth = width * ratio()
  pen.setLineDash(dash.map((each) => each * ratio()))
  pen.beginPath()
  path()
  pen.stroke()
  pen.restore()
}

export function dot(pen: Pen, x: number, y: number, radius: number, fill: string) {
  pen.fillStyle = fill
  pen.beginPath()
  pen.arc(x, y, radius * ratio(), 0, 2 * Math.PI)
  pen.fill()
}

interface Pill {
  readonly text: string
  readonly x: number
  readonly y: number
  /** The edge of the label at x. */
  readonly from: 'left' | 'right'
  readonly ground: string
  readonly colour: string
  readonly isSolid?: boolean
}

/** Height of a label, CSS pixels. */
export const PILL = 17

/** Draws a label with a background. */
export function pill(pen: Pen, { text, x, y, from, ground, colour, isSolid = false }: Pill) {
  const unit = ratio()
  pen.save()
  pen.font = scaled(font(10.5, 600))
  const width = pen.measureText(text).width + 12 * unit
  const left = from === 'left' ? x : x - width
  pen.globalAlpha = isSolid ? 1 : 0.92
  pen.fillStyle = ground
  pen.beginPath()
  pen.roundRect(left, y - (PILL / 2) * unit, width, PILL * unit, 4 * unit)
  pen.fill()
  pen.globalAlpha = 1
  pen.fillStyle = colour
  pen.textAlign = 'left'
  pen.textBaseline = 'middle'
  pen.fillText(text, left + 6 * unit, y + 0.5 * unit)
  pen.restore()
}

/** Converts the size of a font to device pixels. */
export function scaled(text: string): string {
  return text.replace(/[\d.]+px/, (size) => `${Number.parseFloat(size) * ratio()}px`)
}

/** Draws inside the plot's frame only. */
export function clipped({ ctx: pen, bbox }: PlotCanvas, draw: () => void) {
  pen.save()
  pen.beginPath()
  pen.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  pen.clip()
  draw()
  pen.restore()
}
