import { drawingOf } from './drawings.ts'
import { escaped, svgOf } from './svg.ts'
import { round } from './svg-path.ts'

/** Heights of the head and of a line above a chart, and the margin, CSS pixels. */
const [HEAD, LINE, EDGE] = [34, 18, 12] as const

export interface About {
  readonly title: string
  /** Symbol, moment and source. */
  readonly origin: string
  /** Undefined unless the data is made up. */
  readonly warning: string | undefined
}

/**
 * The charts of a panel as one SVG image, with a line that describes them. Charts under one another, and halves
 * of a panel, get a line each, because the legend of the page is not in the picture.
 */
export function pictureOf(panel: HTMLElement, { title, origin, warning }: About): string {
  const canvases = [...panel.querySelectorAll('canvas')]
  const boxes = canvases.map((canvas) => canvas.getBoundingClientRect())
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))]
  const width = Math.max(...boxes.map(({ right }) => right)) - left
  const bottom = Math.max(...boxes.map((box) => box.bottom))
  const tops = [...new Set(boxes.map((box) => Math.round(box.top)))].sort((a, b) => a - b)
  const lines = tops.length > 1 || panel.querySelector('.half') !== null ? tops.length : 0
  const height = bottom - top + LINE * lines
  const { backgroundColor, color, fontFamily } = getComputedStyle(panel)
  const root = getComputedStyle(document.documentElement)
  const text = (x: number, y: number, anchor: string, attributes: string, words: string) =>
    `<text x="${x}" y="${y}" text-anchor="${anchor}" ${attributes}>${escaped(words)}</text>`
  const line = (x: number, anchor: string, attributes: string, words: string) =>
    text(x, HEAD / 2, anchor, attributes, words)
  const quiet = `fill="${root.getPropertyValue('--ink-2').trim()}"`
  const charts = canvases.map((canvas, i) => {
    const box = boxes[i]!
    const scale = round(box.width / canvas.width)
    const [x, row] = [round(box.left - left), tops.indexOf(Math.round(box.top))]
    const y = round(box.top - top + HEAD + (lines === 0 ? 0 : LINE * (row + 1)))
    const name = canvas.closest('[role=img]')?.getAttribute('aria-label') ?? ''
    const about = lines === 0 ? '' : text(x + EDGE, y - LINE / 2, 'start', `font-size="11" ${quiet}`, name)
    return `${about}<g transform="translate(${x} ${y}) scale(${scale})">${contents(canvas, `chart${i}`)}</g>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" width="${round(width)}" height="${round(height + HEAD)}"`,
    ` viewBox="0 0 ${round(width)} ${round(height + HEAD)}">`,
    `<title>${escaped(`${title}: ${origin}`)}</title>`,
    `<rect width="100%" height="100%" fill="${backgroundColor}"/>`,
    `<g font-family="${escaped(fontFamily)}" font-size="12" dominant-baseline="central">`,
    line(EDGE, 'start', `font-weight="600" fill="${color}"`, title),
    line(EDGE + 12 + 6.6 * title.length, 'start', quiet, origin),
    warning === undefined
      ? ''
      : line(width - EDGE, 'end', `font-weight="600" fill="${root.getPropertyValue('--warn').trim()}"`, warning),
    ...charts,
    '</g></svg>\n'
  ].join('')
}

/** The canvas as SVG elements if its drawing is known, else as an image. */
function contents(canvas: HTMLCanvasElement, id: string): string {
  const draw = drawingOf(canvas)
  if (draw !== undefined) return svgOf(canvas, draw, id)
  return `<image href="${canvas.toDataURL()}" width="${canvas.width}" height="${canvas.height}"/>`
}

/** Pixels of a PNG per pixel of the page. */
const SHARPNESS = 2

export async function rasterised(svg: string): Promise<Blob | null> {
  const image = new Image()
  image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.width * SHARPNESS
  canvas.height = image.height * SHARPNESS
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height)
  URL.revokeObjectURL(image.src)
  return new Promise((resolve) => canvas.toBlob(resolve))
}
