import type { ReadonlySignal } from '@preact/signals'
import { times } from '../state/day/price-stage.ts'
import { clock } from '../state/day/time.ts'
import type { Track } from '../state/day/track.ts'
import type { Ink } from './ink.ts'
import { dot, ratio, rule } from './pen.ts'
import type { PlotCanvas, PlotData, PlotOptions } from './plot/plot-canvas.ts'
import { axis, Plot } from './plot.tsx'

interface Line {
  readonly tone: keyof Ink
  readonly dash?: readonly number[]
  readonly width?: number
}

interface Usual {
  readonly low: number
  readonly median: number
  readonly high: number
}

interface TrackProps {
  readonly of: ReadonlySignal<Track>
  /** Style of each line, in the order of the data. */
  readonly lines: readonly Line[]
  /** Text of an axis value. */
  readonly figure: (value: number) => string
  /** Usual size of the first line at its newest time, whatever the sign. */
  readonly usual?: ReadonlySignal<Usual | undefined>
  /** Description for screen readers. */
  readonly label: string | (() => string)
  /** Fixed bounds of the axis. */
  readonly range?: readonly [number, number]
  /** Whether the time axis is labelled. */
  readonly hasHours?: boolean
}

/** Half the width of the usual range, CSS pixels. */
const HALF_WIDTH = 9
/** How far the axis reaches for the usual range, in sizes of the lines, which would be flat otherwise. */
const FARTHEST = 3
const HOUR = 3_600_000
/** Margin above and below the lines, share of their range. */
const ROOM = 0.12

/** Draws a dot at the end of the first line, and a line at 0. */
function marks(plot: PlotCanvas, ink: Ink, tone: keyof Ink) {
  const { ctx: pen, bbox, data } = plot
  const [at, main = []] = data
  const { min, max } = plot.bounds('y')
  if (min < 0 && max > 0) rule(pen, [bbox.left, bbox.left + bbox.width], plot.posOf(0, 'y'), ink['line-strong'], [])
  const last = main.findLastIndex((value) => value !== null && value !== undefined)
  if (last >= 0)
    dot(pen, plot.posOf(at[last]!, 'x'), plot.posOf(main[last]!, 'y'), 2.6 * Math.min(1, ratio()), ink[tone])
}

type Ends = [near: number, middle: number, far: number]

/** Draws the usual range at the newest time on both sides of 0, with its median, as far as the axis reaches. */
function usualRange(plot: PlotCanvas, ink: Ink, { low, median, high }: Usual) {
  const at = plot.data[0]?.at(-1)
  if (at === undefined) return
  const { ctx: pen, bbox } = plot
  const [x, half] = [plot.posOf(at, 'x'), HALF_WIDTH * ratio()]
  const [top, bottom] = [bbox.top, bbox.top + bbox.height]
  for (const sign of [1, -1]) {
    const [near, middle, far] = [low, median, high].map((value) => plot.posOf(sign * value, 'y')) as Ends
    const [from, to] = [Math.max(top, Math.min(near, far)), Math.min(bottom, Math.max(near, far))]
    pen.fillStyle = ink['line-strong']
    if (from < to) pen.fillRect(x - half, from, 2 * half, to - from)
    if (middle > top && middle < bottom) rule(pen, [x - half, x + half], middle, ink['ink-3'], [], 1.5)
  }
}

/** Lines through the session on one axis, the first line on top. */
export function trackChart({ of, lines, figure, usual, label, range, hasHours = true }: TrackProps) {
  const options = (ink: Ink): PlotOptions => ({
    cursor: 'line',
    padding: [8, 20, hasHours ? 0 : 8, 4],
    scales: {
      x: { range: () => times.peek() ?? [0, 1] },
      y: {
        range: (_, low, high) => {
          if (range !== undefined) return range
          const size = Math.max(Math.abs(low ?? 0), Math.abs(high ?? 0))
          const far = Math.min(usual?.peek()?.high ?? 0, size * FARTHEST)
          const [least, most] = [Math.min(low ?? 0, -far), Math.max(high ?? 0, far)]
          const room = (most - least || 1) * ROOM
          return [least < 0 ? least - room : 0, most > 0 ? most + room : 0]
        }
      }
    },
    axes: [
      {
        ...axis(ink),
        show: hasHours,
        size: 24,
        splits: (plot) => {
          const { min, max } = plot.bounds('x')
          const step = plot.width < 420 ? 2 * HOUR : HOUR
          const first = Math.ceil(min / HOUR) * HOUR
          return Array.from({ length: Math.max(0, Math.floor((max - first) / step) + 1) }, (_, i) => first + i * step)
        },
        values: (_, splits) => splits.map((each) => clock(each, false))
      },
      {
        ...axis(ink),
        size: 58,
        space: 26,
        values: (_, splits) => splits.map((each) => (each === 0 ? '0' : figure(each)))
      }
    ],
    series: lines.map(({ tone, dash, width = 1.5 }) => ({
      stroke: ink[tone],
      width,
      ...(dash !== undefined && { dash })
    })),
    under: (plot) => {
      const found = usual?.peek()
      if (found !== undefined) usualRange(plot, ink, found)
    },
    draw: (plot) => marks(plot, ink, lines[0]!.tone)
  })
  const data = (): PlotData => {
    void [times.value, usual?.value]
    const { times: at, lines: figures } = of.value
    return [at, ...figures]
  }
  return () => <Plot options={options} data={data} label={typeof label === 'string' ? label : label()} />
}
