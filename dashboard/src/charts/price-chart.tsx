import { level, percent, price } from '../parts/format.ts'
import { horizon, hours, moment, spot } from '../state/day/day.ts'
import { labelOf, type Mark, type Tone } from '../state/day/level-marks.ts'
import type { Stage } from '../state/day/price-stage.ts'
import { clock } from '../state/day/time.ts'
import { isNarrow } from '../state/page/reader.ts'
import { channels, gammaMap, HIGH, WIDE } from './gamma-map.ts'
import type { Ink } from './ink.ts'
import { clipped, dot, PILL, pill, ratio, rule, stroke } from './pen.ts'
import type { PlotCanvas, PlotData, PlotOptions } from './plot/plot-canvas.ts'
import { axis, Plot } from './plot.tsx'

/** Both halves of the stage use these, so that their axes align. CSS pixels. */
export const [PADDING_TOP, TIME_AXIS] = [10, 28] as const

/** Text needs more contrast than a line of the same tone. */
const inkOf = (ink: Ink, tone: Tone) => ink[tone === 'call' || tone === 'put' ? (`${tone}-ink` as const) : tone]

/** Draws the map behind the price. The image is made again only when its data changes. */
function mapLayer(ink: Ink, { map, prices, times }: Stage) {
  let made: { readonly of: readonly unknown[]; readonly picture: HTMLCanvasElement | undefined } | undefined
  return (plot: PlotCanvas) => {
    const [matrix, shown, span] = [map.peek(), prices.peek(), times.peek()]
    if (matrix === undefined || shown === undefined || span === undefined) return
    const until = Math.min(horizon.peek(), moment.peek() ?? 0)
    const known = matrix.columns.findLastIndex((text) => Date.parse(text) <= until)
    const of = [matrix, ...shown, ...span, known]
    if (made === undefined || of.some((each, i) => each !== made!.of[i])) {
      const [call, put] = [channels(ink.call), channels(ink.put)]
      const pixels = gammaMap(matrix, { prices: shown, times: span, until, call, put })
      made = { of, picture: pixels === undefined ? undefined : pictureOf(pixels) }
    }
    const { picture } = made
    if (picture === undefined) return
    clipped(plot, () => {
      const { ctx: pen, bbox } = plot
      pen.imageSmoothingQuality = 'high'
      pen.drawImage(picture, bbox.left, bbox.top, bbox.width, bbox.height)
    })
  }
}

function pictureOf(pixels: Uint8ClampedArray<ArrayBuffer>): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = WIDE
  canvas.height = HIGH
  canvas.getContext('2d')!.putImageData(new ImageData(pixels, WIDE, HIGH), 0, 0)
  return canvas
}

/** Draws one standard deviation until the close, which grows with the square root of time. */
function cone(plot: PlotCanvas, ink: Ink, move: number | undefined) {
  const [now, at, close] = [spot.peek(), moment.peek(), hours.peek()?.close]
  if (now === undefined || at === undefined || close === undefined || move === undefined || at >= close) return
  clipped(plot, () => {
    for (const side of [1, -1])
      stroke(plot.ctx, ink['ink-2'], 1, [3, 3], () => {
        for (let i = 0; i <= 40; i++) {
          const x = plot.posOf(at + ((close - at) * i) / 40, 'x')
          const y = plot.posOf(now + side * move * Math.sqrt(i / 40), 'y')
          if (i === 0) plot.ctx.moveTo(x, y)
          else plot.ctx.lineTo(x, y)
        }
      })
  })
}

/** Draws levels as lines with labels that do not overlap. Levels outside the window are named at its edge. */
function levelLines(plot: PlotCanvas, ink: Ink, marks: readonly Mark[]) {
  const { ctx: pen, bbox } = plot
  const [left, right, top, bottom] = [bbox.left, bbox.left + bbox.width, bbox.top, bbox.top + bbox.height]
  const placed = marks.map((mark) => ({ mark, y: plot.posOf(mark.value, 'y') }))
  const inside = placed.filter(({ y }) => y >= top - 1 && y <= bottom + 1)
  for (const { mark, y } of inside) {
    const isFlip = mark.tone === 'flip'
    const from = isFlip ? Math.min(right, plot.posOf(moment.peek() ?? 0, 'x')) : left
    rule(pen, [Math.max(left, from), right], y, ink[mark.tone], mark.dash, mark.dash.length === 0 ? 1.5 : 1)
  }
  let free = top
  for (const { mark, y } of inside) {
    const middle = Math.max(y, free + (PILL / 2) * ratio())
    free = middle + (PILL / 2 + 1) * ratio()
    const text = `${labelOf(mark, !isNarrow.peek())}  ${level(mark.value)}`
    pill(pen, {
      text,
      x: right - 6 * ratio(),
      y: middle,
      from: 'right',
      ground: ink.panel,
      colour: inkOf(ink, mark.tone)
    })
  }
  const above = placed.filter(({ y }) => y < top - 1)
  const below = placed.filter(({ y }) => y > bottom + 1).reverse()
  atEdge(
    plot,
    ink,
    '↑',
    above.map(({ mark }) => mark)
  )
  atEdge(
    plot,
    ink,
    '↓',
    below.map(({ mark }) => mark)
  )
}

/** Draws up to three levels beyond an edge, the farthest at the outside. */
function atEdge({ ctx: pen, bbox }: PlotCanvas, ink: Ink, way: '↑' | '↓', beyond: readonly Mark[]) {
  const now = spot.peek()
  if (now === undefined) return
  beyond.slice(-3).forEach((mark, row) => {
    const offset = (10 + (PILL + 2) * row) * ratio()
    const y = way === '↑' ? bbox.top + offset : bbox.top + bbox.height - offset
    const text = `${way} ${labelOf(mark, false)}  ${level(mark.value)}  ${percent((mark.value / now - 1) * 100)}`
    pill(pen, { text, x: bbox.left + 8 * ratio(), y, from: 'left', ground: ink.panel, colour: ink['ink-2'] })
  })
}

/** Whether the label of the current price covers an axis value. */
function isBehindTag(plot: PlotCanvas, value: number): boolean {
  const now = spot.peek()
  return now !== undefined && Math.abs(plot.posOf(value, 'y') - plot.posOf(now, 'y')) < PILL * ratio()
}

function spotLine(plot: PlotCanvas, ink: Ink) {
  const { ctx: pen, bbox } = plot
  const [now, at] = [spot.peek(), moment.peek()]
  if (now === undefined || at === undefined) return
  const right = bbox.left + bbox.width
  const [x, y] = [Math.min(right, plot.posOf(at, 'x')), plot.posOf(now, 'y')]
  rule(pen, [x, right], y, ink.price, [1, 2])
  dot(pen, x, y, 5.5, ink.panel)
  dot(pen, x, y, 3.5, ink.price)
  pill(pen, {
    text: price(now),
    x: right + 2 * ratio(),
    y,
    from: 'left',
    ground: ink.price,
    colour: ink.panel,
    isSolid: true
  })
}

const HOUR = 3_600_000
/** Axis steps: 1, 2 and 5 times powers of ten. */
const STEPS = [0.01, 0.1, 1, 10, 100, 1000].flatMap((unit) => [unit, 2 * unit, 5 * unit])

const optionsOf =
  (stage: Stage) =>
  (ink: Ink): PlotOptions => {
    const { times, prices, marks, move, pointed } = stage
    const paintMap = mapLayer(ink, stage)
    return {
      cursor: 'line',
      padding: [PADDING_TOP, 0, 0, 10],
      scales: {
        x: { range: () => times.peek() ?? [0, 1] },
        y: { range: () => prices.peek() ?? [0, 1] }
      },
      axes: [
        {
          ...axis(ink),
          size: TIME_AXIS,
          splits: (plot) => {
            if (times.peek() === undefined) return []
            const { min, max } = plot.bounds('x')
            const step = plot.width < 420 ? 2 * HOUR : HOUR
            const first = Math.ceil(min / HOUR) * HOUR
            const count = Math.max(0, Math.floor((max - first) / step) + 1)
            return Array.from({ length: count }, (_, i) => first + i * step)
          },
          values: (_, splits) => splits.map((each) => clock(each, false))
        },
        {
          ...axis(ink),
          side: 'right',
          size: 56,
          gap: 8,
          space: 38,
          distances: STEPS,
          // Before there is a price, grid lines have no values.
          values: (plot, splits) =>
            splits.map((each) => (prices.peek() === undefined || isBehindTag(plot, each) ? '' : level(each)))
        }
      ],
      series: [
        { stroke: ink['ink-3'], width: 1 },
        { stroke: ink['ink-3'], width: 1 },
        { stroke: ink.price, width: 1.75 },
        { stroke: ink.flip, width: 1.5 }
      ],
      behind: paintMap,
      draw: (plot) => {
        cone(plot, ink, move.peek())
        levelLines(plot, ink, marks.peek())
        spotLine(plot, ink)
      },
      onPointer: (plot) => {
        pointed.value = plot.pointer && plot.valueAt(plot.pointer.top, 'y')
      }
    }
  }

const dataOf =
  ({ day, prices, times, marks, map, move }: Stage) =>
  (): PlotData => {
    // Reads the signals, so that a change redraws the plot.
    void [prices.value, times.value, marks.value, map.value, move.value, spot.value]
    const points = day.value
    const edge = (side: 1 | -1) => points.map((each) => (each.move ? each.price + side * each.move : null))
    return [
      points.map(({ time }) => time),
      edge(1),
      edge(-1),
      points.map((each) => each.price),
      points.map(({ flip }) => flip)
    ]
  }

/** Price of the session with levels, flip, remaining range, and a map behind them. */
export function priceChart(stage: Stage) {
  const [options, data] = [optionsOf(stage), dataOf(stage)]
  return () => (
    <Plot
      options={options}
      data={data}
      label="Price of the session with gamma levels: their figures stand in the table of levels"
    />
  )
}
