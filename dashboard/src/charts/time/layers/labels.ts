import { level, percent, price } from '../../../parts/format.ts'
import { labelOf, type Mark, merged } from '../../../state/day/level-marks.ts'
import { inkOf, textInkOf } from '../inks.ts'
import type { Layer, Scene } from '../scene.ts'
import { crisp, LABEL, label, labelWidth, line, segment } from '../strokes.ts'

/** Levels beyond an edge that are named. */
const BEYOND = 3
/** Plots that are narrower than this have no room for labels beside the legend. */
const BESIDE_LEGEND = 840
/** Space between labels and the right edge of the plot. */
const EDGE = 8

/** Names of the levels at the right, apart from one another; those out of sight at the edge with arrow and distance. */
export const labels: Layer = (pen, scene) => {
  const { data, plot, ink, x, y, span } = scene
  const marks = marksSeen(scene)
  if (marks.length === 0) return undefined
  const font = scene.font(10.5, 600)
  const isWide = plot.width > 1200
  const placed = marks.map((mark) => ({ mark, at: y(mark.value) }))
  const seen = placed.filter(({ at }) => at >= 0 && at <= plot.height)
  const end = Math.max(0, x(Math.min(data.bars.t.length, span.to)))
  for (const { mark, at } of seen) {
    pen.globalAlpha = 0.75
    line(pen, inkOf(ink, mark.tone), 1, [2, 3], () => segment(pen, end, crisp(at), plot.width, crisp(at)))
    pen.globalAlpha = 1
  }
  const above = placed.filter(({ at }) => at < 0).slice(-BEYOND)
  const below = placed
    .filter(({ at }) => at > plot.height)
    .slice(0, BEYOND)
    .reverse()
  const draw = (text: string, at: number, colour: string) =>
    label(pen, { text, x: plot.width - EDGE, y: at, from: 'right', ground: ink.panel, colour, font })
  const away = ({ value }: Mark) => (data.spot === undefined ? '' : `  ${percent((value / data.spot - 1) * 100)}`)
  const top = scene.legendHeight
  above.forEach((each, row) => {
    draw(
      `↑ ${labelOf(each.mark, false)}  ${level(each.mark.value)}${away(each.mark)}`,
      top + LABEL * (row + 0.6),
      ink['ink-2']
    )
  })
  below.forEach((each, row) => {
    const at = plot.height - LABEL * (row + 0.6)
    draw(`↓ ${labelOf(each.mark, false)}  ${level(each.mark.value)}${away(each.mark)}`, at, ink['ink-2'])
  })
  const heights = spread(
    seen.map(({ at }) => at),
    above.length === 0 ? (plot.width < BESIDE_LEGEND ? top : 0) : top + LABEL * (above.length + 0.2),
    plot.height - LABEL * (below.length + 0.2)
  )
  seen.forEach(({ mark }, i) => {
    draw(`${labelOf(mark, isWide)}  ${level(mark.value)}`, heights[i]!, textInkOf(ink, mark.tone))
  })
  const all = marks.map(({ value }) => value)
  return { prices: [Math.min(...all), Math.max(...all)] }
}

/** The levels of now, or those of the last seen bar where the chart shows the past. */
function marksSeen({ data, span }: Scene): readonly Mark[] {
  const bar = Math.ceil(span.to) - 1
  if (bar >= data.bars.t.length - 1) return data.marks
  const known = (value: number | undefined) => (Number.isNaN(value) ? undefined : value)
  return merged(data.lines.map(({ name, tone, dash, values }) => [name, known(values[bar]), tone, dash]))
}

/** Heights moved so far that labels of a height do not overlap; ascending. */
export function spread(heights: readonly number[], top: number, bottom: number, tall = LABEL): readonly number[] {
  const out = [...heights]
  for (let i = 0; i < out.length; i++) out[i] = Math.max(out[i]!, (i === 0 ? top : out[i - 1]! + tall / 2) + tall / 2)
  for (let i = out.length - 1; i >= 0; i--)
    out[i] = Math.min(out[i]!, (i === out.length - 1 ? bottom : out[i + 1]! - tall / 2) - tall / 2)
  return out
}

/** The price of now as a dotted line to a tag on the price axis. */
export const spotTag: Layer = (pen, scene) => {
  const { data, ink, x, y, axis, plot } = scene
  const now = data.spot ?? data.bars.c.at(-1)
  if (now === undefined) return undefined
  const at = y(now)
  if (at < 0 || at > plot.height) return undefined
  const left = Math.max(0, x(data.bars.t.length))
  line(pen, ink.price, 1, [1, 3], () => segment(pen, left, crisp(at), axis, crisp(at)))
  const [text, font] = [price(now), scene.font(11, 650)]
  pen.font = font
  label(pen, {
    text,
    x: Math.min(axis + 1, scene.width - labelWidth(pen, text)),
    y: at,
    from: 'left',
    ground: ink.price,
    colour: ink.panel,
    font,
    isSolid: true
  })
  return { prices: [now, now] }
}

/** Whether the tag of the price covers an axis label. */
export function isBehindTag({ data, y }: Scene, value: number): boolean {
  const now = data.spot ?? data.bars.c.at(-1)
  return now !== undefined && Math.abs(y(value) - y(now)) < LABEL
}
