import type { Bars } from '../../state/chart/history.ts'
import type { Ink } from '../ink.ts'
import { GROUP, levelFor } from './bars.ts'
import type { ChartData } from './data.ts'
import { priceRange, type Span } from './view.ts'

type Pen = CanvasRenderingContext2D

/** A part of the chart, CSS pixels. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Report of a layer about what it drew: its name, and if it has them, its first and last bar and its price range. */
export interface Drawn {
  readonly id: string
  readonly bars?: readonly [first: number, last: number]
  readonly prices?: readonly [low: number, high: number]
}

/** A layer draws one thing, and says what it drew; undefined: nothing. */
export type Layer = (pen: Pen, scene: Scene) => Omit<Drawn, 'id'> | undefined

/** One frame: data, places and scales. Lengths are CSS pixels. */
export interface Scene {
  readonly data: ChartData
  readonly ink: Ink
  readonly font: (size: number, weight?: number) => string
  readonly span: Span
  readonly width: number
  readonly height: number
  /** Prices over time. */
  readonly plot: Box
  /** One box for each pane of the data. */
  readonly panes: readonly Box[]
  /** Strikes; undefined: not shown. */
  readonly profile: Box | undefined
  /** Left edge of the price axis. */
  readonly axis: number
  /** Top of the time axis. */
  readonly foot: number
  readonly low: number
  readonly high: number
  /** Bars or groups to draw, their place in the pyramid, and the bars in each. */
  readonly shown: Bars
  readonly level: number
  readonly size: number
  /** First and last seen group; the last is before the first if none is seen. */
  readonly first: number
  readonly last: number
  /** Pixels of a group. */
  readonly pitch: number
  /** Pixels at the top that the legend covers. */
  readonly legendHeight: number
  /** Pixels from the left of a position of bars. */
  readonly x: (position: number) => number
  /** Pixels from the top of a price. */
  readonly y: (price: number) => number
}

export const [AXIS, FOOT] = [62, 26] as const
/** Room above and below the prices. */
const [ABOVE, BELOW] = [8, 10] as const
/** Below this width the chart is on a phone. */
export const NARROW = 560

export interface Sizes {
  readonly width: number
  readonly height: number
}

/** Places of the parts in a chart of a size. */
export function layoutOf({ width, height }: Sizes, panes: number, hasProfile: boolean) {
  const isNarrow = width < NARROW
  const beside = !hasProfile ? 0 : isNarrow ? 84 : Math.min(240, Math.max(110, Math.round(width * 0.14)))
  const tall = Math.round(Math.min(isNarrow ? 58 : 72, Math.max(46, height * 0.1)))
  const axis = width - AXIS
  const foot = height - FOOT
  const plot: Box = { left: 0, top: 0, width: axis - beside, height: foot - tall * panes }
  return {
    axis,
    foot,
    plot,
    panes: Array.from(
      { length: panes },
      (_, k): Box => ({
        left: 0,
        top: plot.height + k * tall,
        width: plot.width,
        height: tall
      })
    ),
    profile: hasProfile ? { left: plot.width, top: 0, width: beside, height: plot.height } : undefined
  }
}

interface Asked extends Sizes {
  readonly data: ChartData
  readonly pyramid: readonly Bars[]
  readonly span: Span
  readonly ink: Ink
  readonly font: Scene['font']
  readonly legendHeight: number
}

export function sceneOf({ data, pyramid, span, ink, font, width, height, legendHeight }: Asked): Scene {
  const layout = layoutOf({ width, height }, data.panes.length, data.strikes !== undefined)
  const { plot } = layout
  const perBar = plot.width / (span.to - span.from)
  const level = levelFor(pyramid.length, perBar)
  const [shown, size] = [pyramid[level]!, GROUP ** level]
  const first = Math.max(0, Math.floor(span.from / size))
  const last = Math.min(shown.t.length - 1, Math.ceil(span.to / size) - 1)
  const close = data.bars.c.at(-1)
  const { cone } = data
  const isConeSeen = cone !== undefined && close !== undefined && span.to > data.bars.t.length + 1
  const [low, high] = priceRange({
    bars: shown,
    seen: [first, last],
    levels: data.marks.map(({ value }) => value),
    held: isConeSeen ? [close - cone.move, close + cone.move] : [],
    range: data.range
  })
  return {
    ...layout,
    data,
    ink,
    font,
    span,
    width,
    height,
    legendHeight,
    low,
    high,
    shown,
    level,
    size,
    first,
    last,
    pitch: perBar * size,
    x: (position) => (position - span.from) * perBar,
    y: (price) => ABOVE + (1 - (price - low) / (high - low)) * (plot.height - ABOVE - BELOW)
  }
}

/** The price at a height, the reverse of `y`. */
export function priceAt({ plot, low, high }: Scene, y: number): number {
  return low + (1 - (y - ABOVE) / (plot.height - ABOVE - BELOW)) * (high - low)
}

/** The position of bars at a distance from the left, the reverse of `x`. */
export function positionAt({ plot, span }: Scene, x: number): number {
  return span.from + (x / plot.width) * (span.to - span.from)
}

/** Pixels of the middle of a group. */
export const middleOf = ({ x, size }: Scene, group: number): number => x((group + 0.5) * size)
