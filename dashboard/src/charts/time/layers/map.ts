import type { Bars } from '../../../state/chart/history.ts'
import { STANDS } from '../../../state/chart/sessions.ts'
import type { StrikeMap } from '../../../state/day/price-stage.ts'
import { channels, spreadColumn } from '../../gamma-map.ts'
import type { Ink } from '../../ink.ts'
import { lastUpTo } from '../bars.ts'
import type { Layer } from '../scene.ts'
import { within } from '../strokes.ts'

/** Columns that each last equally long, as one image. */
interface Stretch {
  /** Milliseconds. */
  readonly first: number
  readonly step: number
  readonly columns: number
  readonly picture: HTMLCanvasElement
}

interface Pictures {
  readonly ink: Ink
  readonly prices: readonly [number, number]
  readonly stretches: readonly Stretch[]
}

/** Rows of the image. */
const ROWS = 360
/** Alpha of the strongest tint, of 255. */
const STRONGEST = 165
/** Share of the columns whose largest figure the strongest tint covers. */
const USUAL = 0.9

const made = new WeakMap<StrikeMap, Pictures>()

/**
 * Net gamma by strike as a tint behind the prices. The image is made once for each answer, so that a frame costs one
 * draw for each stretch. A column begins at its moment and never earlier.
 */
export const map: Layer = (pen, { data, ink, plot, x, y, span }) => {
  if (data.map === undefined || data.bars.t.length === 0) return undefined
  let pictures = made.get(data.map)
  if (pictures === undefined || pictures.ink !== ink) made.set(data.map, (pictures = picturesOf(data.map, ink)))
  const [top, bottom] = [y(pictures.prices[1]), y(pictures.prices[0])]
  pen.imageSmoothingQuality = 'low'
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const stretch of pictures.stretches) {
    const [from, end] = placesOf(stretch, data.bars, data.step)
    const pitch = stretch.step / data.step
    if (end <= from || end <= span.from || from >= span.to) continue
    first = Math.min(first, from)
    last = Math.max(last, end)
    const box = { left: x(from), top: 0, width: x(end) - x(from), height: plot.height }
    // The image repeats its first column: blending between two columns then begins where the later one does.
    const [left, wide] = [x(from - pitch / 2), x(pitch * (stretch.columns + 1)) - x(0)]
    within(pen, box, () => pen.drawImage(stretch.picture, left, top, wide, bottom - top))
  }
  return last < first ? undefined : { bars: [first, last], prices: pictures.prices }
}

/** Positions of a stretch. It ends with its session at the latest: a column of the close is not drawn over the next open. */
export function placesOf(
  { first, step, columns }: Pick<Stretch, 'first' | 'step' | 'columns'>,
  bars: Bars,
  barStep: number
): readonly [from: number, end: number] {
  return [placeOf(bars, first, barStep), placeOf(bars, first + step * columns, barStep)]
}

/** The position of a moment: within its bar, or at the end of the last bar before it. */
function placeOf({ t }: Bars, time: number, step: number): number {
  const at = lastUpTo(t, time)
  return at < 0 ? 0 : at + Math.min(1, (time - t[at]!) / step)
}

function picturesOf(matrix: StrikeMap, ink: Ink): Pictures {
  const moments = matrix.columns.map((text) => Date.parse(text))
  const prices = [matrix.strikes[0] ?? 0, matrix.strikes.at(-1) ?? 1] as const
  const profiles = moments.map((_, column) => spreadColumn(matrix, column, prices, ROWS))
  const largest = profiles.map((each) => each.reduce((most, value) => Math.max(most, Math.abs(value)), 0))
  const most = [...largest].sort((a, b) => a - b)[Math.floor((largest.length - 1) * USUAL)] ?? 0
  const stretches = stretchesOf(moments).flatMap(({ start, count, step }): Stretch[] => {
    const columns = profiles.slice(start, start + count)
    if (columns.length === 0 || !(most > 0)) return []
    return [{ first: moments[start]!, step, columns: columns.length, picture: pictureOf(columns, most, ink) }]
  })
  return { ink, prices, stretches }
}

/** Columns in a row that last equally long: each to the next one, the last before a longer pause as long as the one before. */
export function stretchesOf(
  moments: readonly number[]
): readonly { readonly start: number; readonly count: number; readonly step: number }[] {
  const gaps = moments.slice(1).map((time, i) => time - moments[i]!)
  const usual = [...gaps].sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 900_000
  const longest = Math.max(STANDS, 1.5 * usual)
  const found: { start: number; count: number; step: number }[] = []
  for (let i = 0; i < moments.length; i++) {
    const gap = gaps[i] ?? Number.POSITIVE_INFINITY
    const isFirst = i === 0 || gaps[i - 1]! > longest
    const last = found.at(-1)
    const step = gap <= longest ? gap : isFirst || last === undefined ? Math.min(usual, longest) : last.step
    if (!isFirst && last !== undefined && Math.abs(step - last.step) <= 0.01 * last.step) last.count++
    else found.push({ start: i, count: 1, step })
  }
  return found
}

function pictureOf(columns: readonly Float64Array[], most: number, ink: Ink): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  const wide = columns.length + 1
  canvas.width = wide
  canvas.height = ROWS
  const pixels = new Uint8ClampedArray(wide * ROWS * 4)
  const [call, put] = [channels(ink.call), channels(ink.put)]
  for (let column = 0; column < wide; column++) {
    const values = columns[Math.max(0, column - 1)]!
    for (let row = 0; row < ROWS; row++) {
      const value = values[ROWS - 1 - row]!
      const at = (row * wide + column) * 4
      pixels.set(value >= 0 ? call : put, at)
      pixels[at + 3] = STRONGEST * Math.min(1, Math.sqrt(Math.abs(value) / most)) ** 1.35
    }
  }
  canvas.getContext('2d')!.putImageData(new ImageData(pixels, wide, ROWS), 0, 0)
  return canvas
}
