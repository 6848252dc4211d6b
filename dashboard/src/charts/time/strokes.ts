/** Shapes in CSS pixels that several layers draw. */

type Pen = CanvasRenderingContext2D

/** Strokes a path. An `edge` of that colour sets it apart from a ground of any colour. */
export function line(
  pen: Pen,
  colour: string,
  width: number,
  dash: readonly number[],
  path: () => void,
  edge?: string
): void {
  pen.beginPath()
  path()
  if (edge !== undefined) {
    pen.strokeStyle = edge
    pen.lineWidth = width + 2 * EDGE
    pen.stroke()
  }
  pen.strokeStyle = colour
  pen.lineWidth = width
  pen.setLineDash([...dash])
  pen.stroke()
  pen.setLineDash([])
}

/** Width of the edge of a line, CSS pixels. */
const EDGE = 1

/** Adds a straight line to a path. */
export function segment(pen: Pen, left: number, top: number, right: number, bottom: number): void {
  pen.moveTo(left, top)
  pen.lineTo(right, bottom)
}

/** A line at the middle of a pixel, so that it stays thin. */
export const crisp = (at: number): number => Math.round(at) + 0.5

export interface Label {
  readonly text: string
  readonly x: number
  readonly y: number
  /** The edge of the label at x. */
  readonly from: 'left' | 'right'
  readonly ground: string
  readonly colour: string
  readonly font: string
  readonly isSolid?: boolean
}

/** Height of a label. */
export const LABEL = 18

/** Width of a label in the present font. */
export const labelWidth = (pen: Pen, text: string): number => pen.measureText(text).width + 12

/** Draws words on a rounded ground, and gives back their width. */
export function label(pen: Pen, { text, x, y, from, ground, colour, font, isSolid = false }: Label): number {
  pen.font = font
  const width = labelWidth(pen, text)
  const left = from === 'left' ? x : x - width
  pen.globalAlpha = isSolid ? 1 : 0.88
  pen.fillStyle = ground
  pen.beginPath()
  pen.roundRect(left, y - LABEL / 2, width, LABEL, 4)
  pen.fill()
  pen.globalAlpha = 1
  pen.fillStyle = colour
  pen.textAlign = 'left'
  pen.textBaseline = 'middle'
  pen.fillText(text, left + 6, y + 0.5)
  return width
}

interface Word {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly colour: string
  readonly font: string
  readonly align?: CanvasTextAlign
}

export function word(pen: Pen, { text, x, y, colour, font, align = 'left' }: Word): void {
  pen.font = font
  pen.fillStyle = colour
  pen.textAlign = align
  pen.textBaseline = 'middle'
  pen.fillText(text, x, y)
}

/** Draws inside a box only. */
export function within(
  pen: Pen,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
  draw: () => void
): void {
  pen.save()
  pen.beginPath()
  pen.rect(left, top, width, height)
  pen.clip()
  draw()
  pen.restore()
}
