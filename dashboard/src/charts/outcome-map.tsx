import { level } from '../parts/format.ts'
import { date, session } from '../state/day/day.ts'
import { shortDate } from '../state/day/time.ts'
import { turn } from '../state/page/address.ts'
import { grid, legs, pointedCell, underlying } from '../state/screens/lab-state.ts'
import { nearest } from '../state/screens/scenario-axes.ts'
import { channels } from './gamma-map.ts'
import type { Ink } from './ink.ts'
import { clipped, ratio, rule, stroke } from './pen.ts'
import type { PlotCanvas, PlotData, PlotOptions } from './plot/plot-canvas.ts'
import { axis, Plot } from './plot.tsx'

type Grid = NonNullable<typeof grid.value>

const DAY = 86_400_000
/** Alpha of the largest profit or loss. */
const STRONGEST = 190

/**
 * One pixel per day and price: profit in the colour of calls, loss in that of puts. Alpha grows with the square root.
 */
export function outcomePixels(
  pnl: readonly (readonly number[])[],
  profit: readonly [number, number, number],
  loss: readonly [number, number, number]
): Uint8ClampedArray<ArrayBuffer> {
  const [wide, high] = [pnl.length, pnl[0]?.length ?? 0]
  const pixels = new Uint8ClampedArray(wide * high * 4)
  const most = pnl.reduce((size, day) => day.reduce((max, each) => Math.max(max, Math.abs(each)), size), 0) || 1
  pnl.forEach((day, x) => {
    day.forEach((value, y) => {
      const at = ((high - 1 - y) * wide + x) * 4
      pixels.set(value >= 0 ? profit : loss, at)
      pixels[at + 3] = STRONGEST * Math.sqrt(Math.abs(value) / most)
    })
  })
  return pixels
}

/** Draws the grid as an image, which is made again only for a new answer. */
function layer(ink: Ink) {
  let made: { readonly of: Grid['pnl']; readonly picture: HTMLCanvasElement } | undefined
  return (plot: PlotCanvas) => {
    const found = grid.peek()
    if (found === undefined) return
    if (made?.of !== found.pnl) {
      const days = found.pnl.map((day) => day[found.shock]!)
      const picture = document.createElement('canvas')
      picture.width = days.length
      picture.height = days[0]!.length
      const pixels = outcomePixels(days, channels(ink.call), channels(ink.put))
      picture.getContext('2d')!.putImageData(new ImageData(pixels, picture.width, picture.height), 0, 0)
      made = { of: found.pnl, picture }
    }
    const { picture } = made
    clipped(plot, () => {
      const { ctx: pen, bbox } = plot
      pen.imageSmoothingQuality = 'high'
      pen.drawImage(picture, bbox.left, bbox.top, bbox.width, bbox.height)
    })
  }
}

/** Draws the border between profit and loss. */
function edge(plot: PlotCanvas, ink: Ink) {
  const found = grid.peek()
  if (found === undefined) return
  const { underlying: prices, days_forward: days } = found.axes
  const crossings = found.pnl.map((day) => {
    const values = day[found.shock]!
    return values.flatMap((value, i) => {
      const before = values[i - 1]
      if (before === undefined || before * value >= 0) return []
      return [prices[i - 1]! + (before / (before - value)) * (prices[i]! - prices[i - 1]!)]
    })
  })
  clipped(plot, () =>
    stroke(plot.ctx, ink.price, 1.25, [], () => {
      for (let i = 1; i < days.length; i++) {
        const [from, to] = [crossings[i - 1]!, crossings[i]!]
        if (from.length !== to.length) continue
        from.forEach((value, k) => {
          plot.ctx.moveTo(plot.posOf(days[i - 1]!, 'x'), plot.posOf(value, 'y'))
          plot.ctx.lineTo(plot.posOf(days[i]!, 'x'), plot.posOf(to[k]!, 'y'))
        })
      }
    })
  )
}

function lines(plot: PlotCanvas, ink: Ink) {
  const { ctx: pen, bbox } = plot
  const now = underlying.peek()
  if (now !== undefined) rule(pen, [bbox.left, bbox.left + bbox.width], plot.posOf(now, 'y'), ink['ink-2'], [1, 2])
  for (const { strike } of legs.peek()) {
    const y = plot.posOf(strike, 'y')
    if (y > bbox.top && y < bbox.top + bbox.height)
      rule(pen, [bbox.left + bbox.width - 10 * ratio(), bbox.left + bbox.width], y, ink.price, [], 2)
  }
  const found = grid.peek()
  if (found === undefined) return
  const x = plot.posOf(found.axes.days_forward[found.day]!, 'x')
  stroke(pen, ink.flip, 1.75, [6, 3], () => {
    pen.moveTo(x, bbox.top)
    pen.lineTo(x, bbox.top + bbox.height)
  })
}

function dateAfter(days: number): string {
  const today = date.peek() ?? session.answer.peek()?.date
  return today === undefined ? '' : shortDate(new Date(Date.parse(today) + days * DAY).toISOString().slice(0, 10))
}

const options = (ink: Ink): PlotOptions => {
  const map = layer(ink)
  return {
    cursor: 'line',
    padding: [10, 22, 0, 4],
    scales: { x: { range: (_, low, high) => [low, high] }, y: { range: (_, low, high) => [low, high] } },
    axes: [
      {
        ...axis(ink),
        size: 28,
        space: 64,
        distances: [1, 2, 5, 7, 14, 28, 56, 91, 182, 365],
        values: (_, splits) => splits.map(dateAfter)
      },
      { ...axis(ink), size: 50, space: 34, values: (_, splits) => splits.map(level) }
    ],
    series: [{ width: 0 }],
    under: map,
    draw: (plot) => {
      edge(plot, ink)
      lines(plot, ink)
    },
    onPointer: (plot) => {
      const [at, axes] = [plot.pointer, grid.peek()?.axes]
      pointedCell.value =
        axes === undefined || at === undefined
          ? undefined
          : [
              nearest(axes.days_forward, plot.valueAt(at.left, 'x')),
              nearest(axes.underlying, plot.valueAt(at.top, 'y'))
            ]
    },
    // A click on the map chooses a day.
    ready: (plot) =>
      plot.over.addEventListener('click', ({ offsetX }) =>
        turn({ ahead: Math.max(0, Math.round(plot.valueAt(offsetX, 'x'))) })
      )
  }
}

/** Two corner points define the axes; the map is drawn as an image. */
const data = (): PlotData => {
  const found = grid.value
  if (found === undefined) return [[], []]
  const { days_forward: days, underlying: prices } = found.axes
  return [
    [days[0]!, days.at(-1)!],
    [prices[0]!, prices.at(-1)!]
  ]
}

export function OutcomeMap() {
  return (
    <Plot
      options={options}
      data={data}
      label="Profit and loss by day and price of the underlying at the chosen volatility"
    />
  )
}
