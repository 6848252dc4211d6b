import { level } from '../parts/format.ts'
import { fittedVolatility, type Slice, strikeRange } from '../state/screens/smile-slice.ts'
import { dots, previousSlice, slice, slices } from '../state/screens/volatility-state.ts'
import { font, type Ink } from './ink.ts'
import { clipped, ratio, scaled, stroke } from './pen.ts'
import type { PlotCanvas, PlotData, PlotOptions } from './plot/plot-canvas.ts'
import { axis, Plot } from './plot.tsx'

/** Least distance of drawn quotes, CSS pixels; quotes in between are left out. */
const APART = 4.5

/** Draws puts as filled dots and calls as open ones, each with a line from bid to ask. */
function quoteDots(plot: PlotCanvas, ink: Ink) {
  const { ctx: pen } = plot
  clipped(plot, () => {
    let last = Number.NEGATIVE_INFINITY
    for (const { strike, type, mid, bid, ask } of dots.peek()) {
      const x = plot.posOf(strike, 'x')
      if (x - last < APART * ratio()) continue
      last = x
      const y = (value: number) => plot.posOf(value, 'y')
      if (bid !== null && ask !== null)
        stroke(pen, type === 'C' ? ink['call-bar'] : ink['put-bar'], 1, [], () => {
          pen.moveTo(x, y(bid))
          pen.lineTo(x, y(ask))
        })
      pen.fillStyle = type === 'C' ? ink.panel : ink.put
      pen.beginPath()
      pen.arc(x, y(mid), 2.1 * ratio(), 0, 2 * Math.PI)
      pen.fill()
      if (type === 'P') continue
      pen.strokeStyle = ink.call
      pen.lineWidth = 1.4 * ratio()
      pen.stroke()
    }
  })
}

function forwardLine(plot: PlotCanvas, ink: Ink) {
  const forward = slice.peek()?.forward
  if (forward === undefined) return
  const { ctx: pen, bbox } = plot
  const x = plot.posOf(forward, 'x')
  stroke(pen, ink['ink-3'], 1, [3, 3], () => {
    pen.moveTo(x, bbox.top)
    pen.lineTo(x, bbox.top + bbox.height)
  })
  pen.save()
  pen.fillStyle = ink['ink-2']
  pen.font = scaled(font(11))
  pen.textAlign = 'left'
  pen.textBaseline = 'top'
  pen.fillText(`forward ${level(forward)}`, x + 6 * ratio(), bbox.top + 4 * ratio())
  pen.restore()
}

const options = (ink: Ink): PlotOptions => ({
  cursor: 'line',
  padding: [10, 14, 0, 4],
  scales: {
    x: { range: (_, low, high) => [low, high] },
    y: {
      range: (_, low, high) => {
        const room = (high - low || 1) * 0.12
        return [Math.max(0, low - room), high + room]
      }
    }
  },
  axes: [
    { ...axis(ink), size: 28, values: (_, splits) => splits.map(level) },
    { ...axis(ink), size: 46, values: (_, splits) => splits.map((each) => `${each}\u2009%`) }
  ],
  series: [
    { stroke: ink['ink-3'], width: 1 },
    { stroke: ink['ink-3'], width: 1, dash: [4, 3] },
    { stroke: ink.flip, width: 1.5, dash: [1, 3] },
    { stroke: ink.price, width: 1.75 }
  ],
  under: (plot) => forwardLine(plot, ink),
  draw: (plot) => quoteDots(plot, ink)
})

const POINTS = 161

const data = (): PlotData => {
  void dots.value
  const shown = slice.value
  if (shown === undefined) return [[], [], [], [], []]
  const [low, high] = strikeRange(shown)
  const strikes = Array.from({ length: POINTS }, (_, i) => low + ((high - low) * i) / (POINTS - 1))
  const curve = (of: Slice | undefined) =>
    strikes.map((strike) => (of === undefined ? null : (fittedVolatility(of, strike) ?? null)))
  const at = slices.value.findIndex(({ expiry }) => expiry === shown.expiry)
  return [strikes, curve(slices.value[at - 1]), curve(slices.value[at + 1]), curve(previousSlice.value), curve(shown)]
}

/** Quotes of one expiration with their fit, and the fits of its neighbours. */
export function Smile() {
  return (
    <Plot
      options={options}
      data={data}
      label="Implied volatility by strike: quotes with bid and ask, the fitted smile and the neighboring ones"
    />
  )
}
