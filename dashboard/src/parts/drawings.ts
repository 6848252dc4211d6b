/** Functions that redraw a canvas at once. `svgOf` records their calls to make a picture. */
const drawings = new WeakMap<HTMLCanvasElement, () => void>()

export function canDraw(canvas: HTMLCanvasElement, draw: () => void): void {
  drawings.set(canvas, draw)
}

export function drawingOf(canvas: HTMLCanvasElement): (() => void) | undefined {
  return drawings.get(canvas)
}
