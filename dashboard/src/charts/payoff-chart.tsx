import { level, price, short } from '../parts/format.ts'
import { grid, outcome, pointed, underlying } from '../state/screens/lab-state.ts'
import { fillDifference } from './difference.ts'
import type { Ink } from './ink.ts'
import { dot, pill, ratio, stroke } from './pen.ts'
import type { PlotCanvas, PlotData, PlotOptions } from './plot/plot-canvas.ts'
import { axis, Plot } from './plot.tsx'

/** Draws a labelled vertical line at a price. */
function priceLine(plot: PlotCanvas, ink: Ink, value: number | undefined) {
  if (value === undefined) return
  const { ctx: pen, bbox } = plot
  const x = plot.posOf(value, 'x')
  if (x < bbox.left || x > bbox.left + bbox.width) return
  stroke(pen, ink['ink-2'], 1, [1, 2], () => {
    pen.moveTo(x, bbox.top)
    pen.lineTo(x, bbox.top + bbox.height)
  })
  const y = bbox.top + 11 * ratio()
  pill(pen, {
    text: price(value),
    x: x + 5 * ratio(),
    y,
    from: 'left',
    ground: ink.price,
    colour: ink.panel,
    isSolid: true
  })
}

/** Draws the prices without profit or loss at expiration. */
function breakevens(plot: PlotCanvas, ink: Ink) {
  const { ctx: pen, bbox } = plot
  const zero = plot.posOf(0, 'y')
  for (const value of outcome.answer.peek()?.breakevens ?? []) {
    const x = plot.posOf(value, 'x')
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    dot(pen, x, zero, 4, ink.panel)
    dot(pen, x, zero, 3, ink.magnet)
    const y = zero + 14 * ratio()
    pill(pen, { text: level(value), x: x + 6 * ratio(), y, from: 'left', ground: ink.panel, colour: ink.magnet })
  }
}

const options = (ink: Ink): PlotOptions => ({
  cursor: 'line',
  padding: [10, 22, 0, 4],
  scales: {
    x: { range: (_, low, high) => [low, high] },
    y: {
      range: (_, low, high) => {
        const [least, most] = [Math.min(0, low), Math.max(0, high)]
        const room = (most - least || 1) * 0.12
        return [least - room, most + room]
      }
    }
  },
  axes: [
    { ...axis(ink), size: 28, values: (_, splits) => splits.map(level) },
    {
      ...axis(ink),
      size: 50,
      space: 34,
      values: (_, splits) => splits.map((each) => (each === 0 ? '0' : short(each, 'signed')))
    }
  ],
  series: [
    { stroke: ink.price, width: 1.75 },
    { stroke: ink['line-strong'], width: 1 },
    { stroke: ink.flip, width: 1.75, dash: [6, 3] },
    { stroke: ink.flip, width: 1, dash: [1, 3] },
    { stroke: ink.flip, width: 1, dash: [3, 3] }
  ],
  under: (plot) => fillDifference(plot, ink),
  draw: (plot) => {
    priceLine(plot, ink, underlying.peek())
    breakevens(plot, ink)
  },
  onPointer: (plot) => {
    pointed.value = plot.pointer?.nearest
  }
})

const data = (): PlotData => {
  const [found, shown] = [outcome.answer.value, grid.value]
  if (found === undefined || shown === undefined) return [[], [], [], [], [], []]
  const [calm, usual, wild] = shown.pnl[shown.day]!
  return [
    [...shown.axes.underlying],
    found.pnl_curve.map(({ pnl }) => pnl),
    shown.axes.underlying.map(() => 0),
    [...usual!],
    [...calm!],
    [...wild!]
  ]
}

/** Profit and loss by price: at expiration, and on the chosen day at three volatilities. */
export function Payoff() {
  return (
    <Plot
      options={options}
      data={data}
      label="Profit and loss per share by price of the underlying: at expiry, and on the chosen day at three volatilities"
    />
  )
}
