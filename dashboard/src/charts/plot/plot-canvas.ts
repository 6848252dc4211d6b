import { roundSplits } from './splits.ts'

type Pen = CanvasRenderingContext2D

/** Figures of one series, or the places that all series share; null: not known. */
type Column = readonly (number | null | undefined)[]

/** The places of all series, ascending, then the figures of each. */
export type PlotData = readonly [places: readonly number[], ...series: Column[]]

/** Bounds of a scale, from the lowest and highest figure that it shows. */
export type RangeOf = (plot: PlotCanvas, low: number, high: number) => readonly [number, number]

export interface Scale {
  readonly range: RangeOf | readonly [number, number]
  /** Whether it runs upwards; by default all do but `x`. */
  readonly isUpright?: boolean
  /** A function whose values are even along the scale, such as the root, and its inverse. By default the value itself. */
  readonly toEven?: (value: number) => number
  readonly fromEven?: (value: number) => number
}

/** Lengths are CSS pixels. */
export interface Axis {
  /** By default `x` for the first axis and `y` for the others. */
  readonly scale?: string
  readonly show?: boolean
  readonly side?: 'bottom' | 'left' | 'right'
  /** Room that it takes. */
  readonly size?: number
  readonly gap: number
  readonly stroke: string
  readonly font: string
  /** Colour of the lines across the plot; undefined: there are none. */
  readonly grid: string | undefined
  /** Least distance of two values. */
  readonly space?: number
  /** Distances of values to choose from, ascending. */
  readonly distances?: readonly number[]
  /** The values themselves. */
  readonly splits?: (plot: PlotCanvas) => readonly number[]
  readonly values?: (plot: PlotCanvas, splits: readonly number[]) => readonly string[]
}

export interface Series {
  readonly scale?: string
  readonly stroke?: string
  /** Width of the line; 0: none. */
  readonly width?: number
  readonly dash?: readonly number[]
  /** Colour of the area to 0, or of bars. */
  readonly fill?: string
  /** Bars in place of a line: their share of the room of a place, and their width at most. */
  readonly bars?: readonly [share: number, most: number]
  readonly points?: { readonly size: number; readonly fill: string; readonly stroke: string }
}

type Hook = (plot: PlotCanvas) => void

export interface PlotOptions {
  readonly padding: readonly [top: number, right: number, bottom: number, left: number]
  readonly scales: Readonly<Record<string, Scale>>
  readonly axes: readonly Axis[]
  /** One for each column of figures. */
  readonly series: readonly Series[]
  /** Whether a line follows the pointer; `points`: with a dot on each series at the nearest place. */
  readonly cursor?: 'line' | 'points'
  /** Called once the plot stands in the page. */
  readonly ready?: Hook
  /** Draw behind the axes, behind the series, and over everything. */
  readonly behind?: Hook
  readonly under?: Hook
  readonly draw?: Hook
  /** Called when the pointer moves or leaves. */
  readonly onPointer?: Hook
}

interface Bounds {
  readonly min: number
  readonly max: number
}

/** Place of the pointer, CSS pixels from the upper left of the frame, and the nearest place of the data. */
export interface Pointer {
  readonly left: number
  readonly top: number
  readonly nearest: number | undefined
}

const same = (value: number) => value

/** Lines, areas, bars and dots over a shared axis, drawn on a canvas in device pixels. */
export class PlotCanvas {
  readonly ctx: Pen
  /** The frame within the axes, for listeners. */
  readonly over = document.createElement('div')
  data: PlotData = [[]]
  /** The frame in device pixels. */
  bbox = { left: 0, top: 0, width: 0, height: 0 }
  /** CSS pixels. */
  width: number
  height: number
  /** Undefined while no pointer is over the frame. */
  pointer: Pointer | undefined
  readonly #options: PlotOptions
  readonly #canvas = document.createElement('canvas')
  readonly #rule = document.createElement('i')
  readonly #bounds = new Map<string, Bounds>()

  constructor(options: PlotOptions, place: HTMLElement) {
    const { width, height } = place.getBoundingClientRect()
    this.#options = options
    this.ctx = this.#canvas.getContext('2d')!
    this.width = width
    this.height = height
    this.over.className = 'plot-over'
    this.over.append(this.#rule)
    this.#rule.hidden = true
    place.append(this.#canvas, this.over)
    this.over.addEventListener('pointermove', (event) => this.#point(event))
    this.over.addEventListener('pointerleave', () => this.#point(undefined))
    this.setSize(width, height)
    options.ready?.(this)
  }

  get canvas(): HTMLCanvasElement {
    return this.#canvas
  }

  setData(data: PlotData): void {
    this.data = data
    this.draw()
  }

  setSize(width: number, height: number): void {
    this.width = Math.max(40, width)
    this.height = Math.max(40, height)
    const ratio = devicePixelRatio
    this.#canvas.width = Math.round(this.width * ratio)
    this.#canvas.height = Math.round(this.height * ratio)
    const room = { bottom: 0, left: 0, right: 0 }
    this.#options.axes.forEach((axis, k) => {
      if (axis.show !== false) room[sideOf(axis, k)] += axis.size ?? 0
    })
    const [top, right, bottom, left] = this.#options.padding
    const box = {
      left: room.left + left,
      top,
      width: Math.max(1, this.width - room.left - room.right - left - right),
      height: Math.max(1, this.height - room.bottom - top - bottom)
    }
    this.bbox = {
      left: Math.round(box.left * ratio),
      top: Math.round(box.top * ratio),
      width: Math.round(box.width * ratio),
      height: Math.round(box.height * ratio)
    }
    const { style } = this.over
    for (const side of ['left', 'top', 'width', 'height'] as const) style[side] = `${box[side]}px`
    this.draw()
  }

  remove(): void {
    this.#canvas.remove()
    this.over.remove()
  }

  /** Bounds of a scale in the last drawing. */
  bounds(scale: string): Bounds {
    return this.#bounds.get(scale) ?? { min: 0, max: 1 }
  }

  /** Device pixels from the upper left of the canvas. */
  posOf(value: number, scale: string): number {
    const { left, top, width, height } = this.bbox
    const { share, isUpright } = this.#shares(scale)
    return isUpright ? top + height * (1 - share(value)) : left + width * share(value)
  }

  /** The value at CSS pixels from the left or upper edge of the frame. */
  valueAt(position: number, scale: string): number {
    const { width, height } = this.bbox
    const { isUpright } = this.#shares(scale)
    const { toEven = same, fromEven = same } = this.#options.scales[scale]!
    const { min, max } = this.bounds(scale)
    const along = (position * devicePixelRatio) / (isUpright ? height : width)
    return fromEven(toEven(min) + (isUpright ? 1 - along : along) * (toEven(max) - toEven(min)))
  }

  draw(): void {
    const { axes, series, behind, under, draw } = this.#options
    const { width, height } = this.#canvas
    this.ctx.clearRect(0, 0, width, height)
    if (this.data[0].length === 0) return
    this.#fit()
    behind?.(this)
    axes.forEach((axis, k) => {
      if (axis.show !== false) this.#drawAxis(axis, k)
    })
    under?.(this)
    for (const [k, each] of series.entries()) this.#drawSeries(each, this.data[k + 1] ?? [])
    draw?.(this)
    if (this.#options.cursor === 'points') this.#drawPointed()
  }

  #shares(scale: string) {
    const { toEven = same, isUpright = scale !== 'x' } = this.#options.scales[scale]!
    const { min, max } = this.bounds(scale)
    const [low, high] = [toEven(min), toEven(max)]
    return { isUpright, share: (value: number) => (toEven(value) - low) / (high - low || 1) }
  }

  /** Finds the bounds of each scale. */
  #fit(): void {
    const [places] = this.data
    for (const [name, { range }] of Object.entries(this.#options.scales)) {
      let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
      const columns =
        name === 'x' ? [places] : this.data.slice(1).filter((_, k) => scaleOf(this.#options.series[k]) === name)
      for (const column of columns)
        for (const value of column) {
          if (value === null || value === undefined) continue
          if (value < low) low = value
          if (value > high) high = value
        }
      if (low > high) low = high = 0
      const [min, max] = typeof range === 'function' ? range(this, low, high) : range
      this.#bounds.set(name, { min, max })
    }
  }

  #drawAxis(axis: Axis, k: number): void {
    const { ctx: pen, bbox } = this
    const ratio = devicePixelRatio
    const side = sideOf(axis, k)
    const scale = axis.scale ?? (k === 0 ? 'x' : 'y')
    const { min, max } = this.bounds(scale)
    const isBelow = side === 'bottom'
    const length = (isBelow ? bbox.width : bbox.height) / ratio
    const splits =
      axis.splits?.(this) ?? roundSplits(min, max, length / (axis.space ?? (isBelow ? 50 : 30)), axis.distances)
    const texts = axis.values?.(this, splits) ?? splits.map(String)
    const [right, bottom] = [bbox.left + bbox.width, bbox.top + bbox.height]
    pen.save()
    pen.font = axis.font.replace(/[\d.]+px/, (size) => `${Number.parseFloat(size) * ratio}px`)
    pen.textAlign = isBelow ? 'center' : side === 'left' ? 'right' : 'left'
    pen.textBaseline = isBelow ? 'top' : 'middle'
    pen.lineWidth = ratio
    let labelled = Number.NEGATIVE_INFINITY
    for (const [i, value] of splits.entries()) {
      const at = this.posOf(value, scale)
      if (isBelow ? at < bbox.left - 1 || at > right + 1 : at < bbox.top - 1 || at > bottom + 1) continue
      if (axis.grid !== undefined) {
        const line = Math.round(at - ratio / 2) + ratio / 2
        pen.strokeStyle = axis.grid
        pen.beginPath()
        pen.moveTo(isBelow ? line : bbox.left, isBelow ? bbox.top : line)
        pen.lineTo(isBelow ? line : right, isBelow ? bottom : line)
        pen.stroke()
      }
      const gap = axis.gap * ratio
      pen.fillStyle = axis.stroke
      const text = texts[i] ?? ''
      if (isBelow) {
        // A label that would touch the one before it is left out; its line stays.
        const half = pen.measureText(text).width / 2
        if (text === '' || at - half < labelled) continue
        labelled = at + half + 6 * ratio
        pen.fillText(text, at, bottom + gap)
      } else pen.fillText(text, side === 'left' ? bbox.left - gap : right + gap, at)
    }
    pen.restore()
  }

  #drawSeries(series: Series, values: Column): void {
    const { ctx: pen, bbox } = this
    const { bars, points, width = 1, stroke, fill, dash = [] } = series
    const ratio = devicePixelRatio
    pen.save()
    pen.beginPath()
    pen.rect(bbox.left, bbox.top, bbox.width, bbox.height)
    pen.clip()
    if (bars !== undefined) this.#drawBars(series, values, bars)
    else {
      for (const run of this.#runs(series, values)) {
        if (fill !== undefined) {
          const zero = this.posOf(0, scaleOf(series))
          trace(pen, [[run[0]![0], zero], ...run, [run.at(-1)![0], zero]])
          pen.fillStyle = fill
          pen.fill()
        }
        if (width === 0 || stroke === undefined) continue
        trace(pen, run)
        pen.strokeStyle = stroke
        pen.lineWidth = width * ratio
        pen.lineJoin = 'round'
        pen.setLineDash(dash.map((each) => each * ratio))
        pen.stroke()
      }
    }
    pen.restore()
    if (points !== undefined) for (const point of this.#runs(series, values).flat()) this.#dot(point, points)
  }

  /** Points without a gap between them, device pixels. */
  #runs(series: Series, values: Column): readonly (readonly (readonly [x: number, y: number])[])[] {
    const runs: (readonly [number, number])[][] = []
    let isOpen = false
    for (const [i, place] of this.data[0].entries()) {
      const value = values[i]
      if (value === null || value === undefined) isOpen = false
      else {
        if (!isOpen) runs.push([])
        isOpen = true
        runs.at(-1)!.push([this.posOf(place, 'x'), this.posOf(value, scaleOf(series))])
      }
    }
    return runs
  }

  #drawBars(series: Series, values: Column, [share, most]: readonly [number, number]): void {
    const { ctx: pen } = this
    const [places] = this.data
    const at = places.map((place) => this.posOf(place, 'x'))
    const apart = at.slice(1).reduce((least, each, i) => Math.min(least, Math.abs(each - at[i]!)), this.bbox.width)
    const wide = Math.max(1, Math.round(Math.min(apart * share, most * devicePixelRatio)))
    const { isUpright } = this.#shares(scaleOf(series))
    const zero = this.posOf(0, scaleOf(series))
    pen.fillStyle = series.fill ?? ''
    for (const [i, value] of values.entries()) {
      if (value === null || value === undefined || value === 0) continue
      const end = this.posOf(value, scaleOf(series))
      const [from, length] = [Math.min(zero, end), Math.abs(end - zero)]
      const side = at[i]! - wide / 2
      if (isUpright) pen.fillRect(side, from, wide, length)
      else pen.fillRect(from, side, length, wide)
    }
  }

  #dot([x, y]: readonly [number, number], { size, fill, stroke }: NonNullable<Series['points']>): void {
    const { ctx: pen } = this
    const ratio = devicePixelRatio
    pen.beginPath()
    pen.arc(x, y, ((size - 1) / 2) * ratio, 0, 2 * Math.PI)
    pen.fillStyle = fill
    pen.fill()
    pen.strokeStyle = stroke
    pen.lineWidth = ratio
    pen.stroke()
  }

  #drawPointed(): void {
    const at = this.pointer?.nearest
    if (at === undefined) return
    for (const [k, series] of this.#options.series.entries()) {
      const value = this.data[k + 1]?.[at]
      const { stroke } = series
      if (value === null || value === undefined || stroke === undefined) continue
      const point = [this.posOf(this.data[0][at]!, 'x'), this.posOf(value, scaleOf(series))] as const
      this.#dot(point, { size: 6, fill: stroke, stroke })
    }
  }

  #point(event: PointerEvent | undefined): void {
    const { cursor, onPointer } = this.#options
    if (event === undefined) this.pointer = undefined
    else {
      const box = this.over.getBoundingClientRect()
      const [left, top] = [event.clientX - box.left, event.clientY - box.top]
      const { isUpright } = this.#shares('x')
      this.pointer = { left, top, nearest: this.#nearest(this.valueAt(isUpright ? top : left, 'x')) }
    }
    this.#rule.hidden = cursor === undefined || this.pointer === undefined
    this.#rule.style.left = `${this.pointer?.left ?? 0}px`
    if (cursor === 'points') this.draw()
    onPointer?.(this)
  }

  #nearest(value: number): number | undefined {
    let best: number | undefined
    for (const [i, place] of this.data[0].entries())
      if (best === undefined || Math.abs(place - value) < Math.abs(this.data[0][best]! - value)) best = i
    return best
  }
}

const scaleOf = (series: Series | undefined) => series?.scale ?? 'y'

const sideOf = ({ side }: Axis, k: number) => side ?? (k === 0 ? 'bottom' : 'left')

function trace(pen: Pen, points: readonly (readonly [number, number])[]): void {
  pen.beginPath()
  for (const [i, [x, y]] of points.entries()) {
    if (i === 0) pen.moveTo(x, y)
    else pen.lineTo(x, y)
  }
}
