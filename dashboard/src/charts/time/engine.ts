import { canDraw } from '../../parts/drawings.ts'
import type { Bars } from '../../state/chart/history.ts'
import { type Session, sessionsOf } from '../../state/chart/sessions.ts'
import { font, type Ink } from '../ink.ts'
import { appended, COLUMNS, pyramidOf, refreshEnd } from './bars.ts'
import type { ChartData } from './data.ts'
import { axes, frame } from './layers/axes.ts'
import { candles } from './layers/candles.ts'
import { compared } from './layers/compared.ts'
import { cone } from './layers/cone.ts'
import { crosshair, type Pointed, paneTitles } from './layers/crosshair.ts'
import { grid } from './layers/grid.ts'
import { labels, spotTag } from './layers/labels.ts'
import { levels } from './layers/levels.ts'
import { map } from './layers/map.ts'
import { panes } from './layers/panes.ts'
import { profile } from './layers/profile.ts'
import { volume } from './layers/volume.ts'
import { type Drawn, type Layer, positionAt, priceAt, type Scene, type Sizes, sceneOf } from './scene.ts'
import { within } from './strokes.ts'
import { bounded, panned, positionOf, type Span, timeAt, zoomed } from './view.ts'

/** The seen time, milliseconds. Without `from` all bars are seen, without `to` the chart follows the last bar. */
export interface Shown {
  readonly from: number | undefined
  readonly to: number | undefined
}

/** The crosshair as the page reads it. */
export interface Cross extends Pointed {
  /** The price at its height, while the pointer is over the strikes. */
  readonly strikeNear: number | undefined
}

interface Listeners {
  /** The pointer or a key moved the crosshair; undefined: it left. */
  readonly onPoint: (cross: Cross | undefined) => void
  /** The reader moved or zoomed the chart. */
  readonly onShown: (shown: Shown) => void
  /** The reader scaled the prices: half the window, percent; undefined: by itself again. */
  readonly onRange: (range: number | undefined) => void
  /** A frame was drawn; undefined: nothing is known. What lies over the chart takes its places from it. */
  readonly onDrawn: (scene: Scene | undefined) => void
}

/** Layers over the prices, from behind. */
const inPlot = (sessions: readonly Session[]): readonly (readonly [id: string, layer: Layer])[] => [
  ['map', map],
  ['grid', grid(sessions)],
  ['volume', volume],
  ['cone', cone],
  ['candles', candles],
  ['levels', levels],
  ['compared', compared],
  ['labels', labels]
]

const beside = (sessions: readonly Session[]): readonly (readonly [id: string, layer: Layer])[] => [
  ['panes', panes],
  ['profile', profile],
  ['axes', axes(sessions)],
  ['spot', spotTag]
]

/** Empty room right of the last bar, share of the seen bars. */
const AHEAD = 0.17

/**
 * Prices over many days with what belongs to them, on two canvases: one for the picture and one for the pointer, so that
 * a crosshair draws the picture not again. It draws at most once a frame.
 */
export class TimeChart {
  readonly #base: HTMLCanvasElement
  readonly #over: HTMLCanvasElement
  readonly #listeners: Listeners
  readonly #watch: ResizeObserver
  #sizes: Sizes = { width: 0, height: 0 }
  #data: ChartData | undefined
  #pyramid: readonly Bars[] = []
  #sessions: readonly Session[] = []
  #ink: Ink | undefined
  #span: Span = { from: 0, to: 1 }
  #shown: Shown = { from: undefined, to: undefined }
  /** The seen time that the page asked for last. What the reader moves comes back from it a little later. */
  #asked: Shown = this.#shown
  #pointed: Pointed | undefined
  #legendHeight = 0
  #frame = 0
  #drawn: readonly Drawn[] = []
  #scene: Scene | undefined
  #draws = 0

  constructor(box: HTMLElement, listeners: Listeners) {
    this.#listeners = listeners
    const canvas = () => {
      const made = document.createElement('canvas')
      made.setAttribute('aria-hidden', 'true')
      return box.appendChild(made)
    }
    this.#base = canvas()
    this.#over = canvas()
    canDraw(this.#base, () => this.#draw())
    canDraw(this.#over, () => this.#drawPointer())
    this.#watch = new ResizeObserver(([entry]) => this.#resize(entry!.contentRect))
    this.#watch.observe(box)
    this.#resize(box.getBoundingClientRect())
  }

  /** Replaces what is drawn; undefined: nothing is known. What was seen stays in sight if the symbol is the same. */
  set(data: ChartData | undefined, shown: Shown, ink: Ink): void {
    const before = this.#data
    const isSame = before !== undefined && before.stamp.symbol === data?.stamp.symbol && before.every === data?.every
    const isMoved = shown.from !== this.#asked.from || shown.to !== this.#asked.to
    const kept = isSame && !isMoved && before.bars.t.length > 0 ? this.#seen() : undefined
    this.#data = data
    this.#ink = ink
    this.#asked = shown
    if (kept === undefined) this.#shown = shown
    if (before?.bars !== data?.bars) {
      this.#pyramid = data === undefined ? [] : pyramidOf(data.bars)
      this.#sessions = data === undefined ? [] : sessionsOf(data.bars)
      if (!isSame) this.#pointed = undefined
    }
    this.#span = this.#spanOf(kept ?? shown)
    this.#request()
  }

  /** Puts a price on the last bar, or begins the next one. Times are milliseconds. */
  tick(price: number, time: number): void {
    const data = this.#data
    const { t, o, h, l, c, v } = data?.bars ?? {}
    if (data === undefined || !t || t.length === 0) return
    const last = t.length - 1
    if (time < t[last]!) return
    if (time < t[last]! + data.step) {
      h![last] = Math.max(h![last]!, price)
      l![last] = Math.min(l![last]!, price)
      c![last] = price
      refreshEnd(this.#pyramid)
    } else {
      const seen = this.#seen()
      const start = t[last]! + Math.floor((time - t[last]!) / data.step) * data.step
      const values = { t: start, o: price, h: price, l: price, c: price, v: Number.NaN }
      const columns = { t, o, h, l, c, v } as Bars
      const bars = Object.fromEntries(
        COLUMNS.map((name) => [name, appended(columns[name], values[name])])
      ) as unknown as Bars
      const grown = <Of extends { readonly values: Float64Array }>(all: readonly Of[]) =>
        all.map((each) => ({ ...each, values: appended(each.values, Number.NaN) }))
      this.#data = {
        ...data,
        bars,
        lines: grown(data.lines),
        panes: grown(data.panes),
        compared: grown(data.compared)
      }
      this.#pyramid = pyramidOf(bars)
      this.#sessions = sessionsOf(bars)
      this.#span = this.#spanOf(seen)
    }
    this.#request()
  }

  /** Number of pixels at the top that a legend covers. */
  set legendHeight(pixels: number) {
    this.#legendHeight = pixels
    this.#request()
  }

  /** The data, with what ticks changed. */
  get data(): ChartData | undefined {
    return this.#data
  }

  get scene(): Scene | undefined {
    return this.#scene
  }

  /** Layers of the last frame, from behind, and the number of frames so far. */
  layers(): { readonly draws: number; readonly layers: readonly Drawn[] } {
    return { draws: this.#draws, layers: this.#drawn }
  }

  /** Zooms by a factor around a place, CSS pixels from the left. */
  zoom(by: number, left: number): void {
    if (this.#scene === undefined) return
    this.#move(zoomed(this.#span, by, positionAt(this.#scene, left), this.#count))
  }

  /** Moves by pixels; positive: to later bars. */
  pan(pixels: number): void {
    if (this.#scene === undefined) return
    this.#move(panned(this.#span, (pixels / this.#scene.plot.width) * (this.#span.to - this.#span.from)))
  }

  /** Shows all bars at the scale of their prices. */
  fit(): void {
    this.#move(this.#spanOf({ from: undefined, to: undefined }), true)
    this.#listeners.onRange(undefined)
  }

  /** Scales the prices by a factor; above 1: a wider window. */
  scale(by: number): void {
    const scene = this.#scene
    if (scene === undefined) return
    const { low, high } = scene
    this.#listeners.onRange((((high - low) / (high + low)) * 100 || 1) * by)
  }

  /** Puts the crosshair at a place in CSS pixels; undefined: takes it away. */
  point(place: { readonly left: number; readonly top: number } | undefined): void {
    const scene = this.#scene
    if (place === undefined || scene === undefined) {
      this.#show(undefined)
      return
    }
    const bar = Math.floor(positionAt(scene, place.left))
    const isOverBar = place.left < scene.plot.width && bar >= 0 && bar < this.#count
    const { profile, axis } = scene
    const isOverStrikes =
      profile !== undefined && place.left >= profile.left && place.left < axis && place.top < profile.height
    this.#show(
      { bar: isOverBar ? bar : undefined, y: place.top },
      isOverStrikes ? priceAt(scene, place.top) : undefined
    )
  }

  /** Shows the crosshair of another chart at the bar of its time, milliseconds; undefined: takes it away. Tells nobody. */
  follow(time: number | undefined): void {
    const bars = this.#data?.bars.t
    const bar = time === undefined || bars === undefined ? -1 : bars.findLastIndex((start) => start <= time)
    this.#pointed = bar < 0 ? undefined : { bar, y: undefined }
    this.#drawPointer()
  }

  /** Moves the crosshair by bars, from the last one at first; and the chart with it. */
  step(by: number): number | undefined {
    if (this.#count === 0) return undefined
    const from = this.#pointed?.bar
    const bar = Math.min(this.#count - 1, Math.max(0, from === undefined ? this.#count - 1 : from + by))
    const { from: left, to: right } = this.#span
    if (bar < left) this.#move(panned(this.#span, bar - left))
    if (bar >= right) this.#move(panned(this.#span, bar + 1 - right))
    this.#show({ bar, y: undefined })
    return bar
  }

  destroy(): void {
    this.#watch.disconnect()
    cancelAnimationFrame(this.#frame)
    this.#base.remove()
    this.#over.remove()
  }

  get #count(): number {
    return this.#data?.bars.t.length ?? 0
  }

  #seen(): Shown {
    const { bars } = this.#data!
    const isAtEnd = this.#shown.to === undefined
    if (this.#shown.from === undefined && isAtEnd) return this.#shown
    return { from: timeAt(bars, this.#span.from), to: isAtEnd ? undefined : timeAt(bars, this.#span.to) }
  }

  #spanOf({ from, to }: Shown): Span {
    const bars = this.#data?.bars
    if (bars === undefined || bars.t.length === 0) return { from: 0, to: 1 }
    const left = from === undefined ? 0 : positionOf(bars, from)
    const afterLast = (first: number) => this.#count + Math.max(3, (this.#count - first) * AHEAD)
    const right = to === undefined ? afterLast(left) : positionOf(bars, to)
    return right - left < 1 ? { from: 0, to: afterLast(0) } : { from: left, to: right }
  }

  #move(span: Span, isFit = false): void {
    const { data } = this
    if (data === undefined || this.#count === 0) return
    this.#span = isFit ? span : bounded(span, this.#count)
    // A span that holds the last bar and the room after it follows the bars that come.
    const isAtEnd = this.#span.to >= this.#count + 1
    this.#shown = {
      from: isFit ? undefined : Math.round(timeAt(data.bars, this.#span.from)),
      to: isFit || isAtEnd ? undefined : Math.round(timeAt(data.bars, this.#span.to))
    }
    this.#listeners.onShown(this.#shown)
    this.#request()
  }

  #show(pointed: Pointed | undefined, strikeNear?: number): void {
    this.#pointed = pointed
    this.#drawPointer()
    this.#listeners.onPoint(pointed && { ...pointed, strikeNear })
  }

  #resize({ width, height }: Sizes): void {
    if (width < 1 || height < 1 || (width === this.#sizes.width && height === this.#sizes.height)) return
    this.#sizes = { width, height }
    for (const canvas of [this.#base, this.#over]) {
      canvas.width = Math.round(width * devicePixelRatio)
      canvas.height = Math.round(height * devicePixelRatio)
    }
    this.#draw()
  }

  #request(): void {
    if (this.#frame !== 0) return
    this.#frame = requestAnimationFrame(() => this.#draw())
  }

  #penOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
    const pen = canvas.getContext('2d')!
    pen.setTransform(1, 0, 0, 1, 0, 0)
    pen.clearRect(0, 0, canvas.width, canvas.height)
    pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
    return pen
  }

  #draw(): void {
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
    const pen = this.#penOf(this.#base)
    const [data, ink] = [this.#data, this.#ink]
    this.#drawn = []
    this.#draws++
    if (data === undefined || ink === undefined || this.#count === 0) {
      this.#scene = undefined
      if (ink !== undefined) frame(pen, this.#sizes, ink)
      this.#drawPointer()
      this.#listeners.onDrawn(undefined)
      return
    }
    const scene = sceneOf({
      data,
      ink,
      font,
      pyramid: this.#pyramid,
      span: this.#span,
      legendHeight: this.#legendHeight,
      ...this.#sizes
    })
    this.#scene = scene
    const drawn: Drawn[] = []
    const paint = ([id, layer]: readonly [string, Layer]) => {
      const found = layer(pen, scene)
      if (found !== undefined) drawn.push({ id, ...found })
    }
    within(pen, scene.plot, () => inPlot(this.#sessions).forEach(paint))
    beside(this.#sessions).forEach(paint)
    this.#drawn = drawn
    this.#drawPointer()
    this.#listeners.onDrawn(scene)
  }

  #drawPointer(): void {
    const pen = this.#penOf(this.#over)
    if (this.#scene === undefined) return
    paneTitles(pen, this.#scene, this.#pointed)
    if (this.#pointed !== undefined) crosshair(pen, this.#scene, this.#pointed)
  }
}
