/** How each canvas of the page is drawn anew, at once: a picture of it as SVG is what that draws. */
const drawings = new WeakMap<HTMLCanvasElement, () => void>()

/** Says how a canvas is drawn. */
export function canDraw(canvas: HTMLCanvasElement, draw: () => void): void {
  drawings.set(canvas, draw)
}

export function drawingOf(canvas: HTMLCanvasElement): (() => void) | undefined {
  return drawings.get(canvas)
}
