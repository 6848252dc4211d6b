import { level, short, usd } from '../parts/format.ts'
import { spot } from '../state/day/day.ts'
import { shortDate } from '../state/day/time.ts'
import { expiration, pain, painByDate } from '../state/screens/expirations-state.ts'
import type { Ink } from './ink.ts'
import { rule, stroke } from './pen.ts'
import type { PlotData, PlotOptions } from './plot/plot-canvas.ts'
import { axis, Plot } from './plot.tsx'

const bars = [0.6, 22] as const
/** Most expirations to draw. */
const COUNT = 18

const rows = () => (painByDate.answer.value?.max_pain_by_expiration ?? []).slice(0, COUNT)

const byDateOptions = (ink: Ink): PlotOptions => ({
  cursor: 'line',
  padding: [8, 4, 0, 4],
  scales: {
    x: { range: (_, low, high) => [low - 0.6, high + 0.6] },
    contracts: { range: (_, __, high) => [0, (high || 1) * 1.1] },
    price: {
      range: (_, low, high) => {
        const now = spot.peek() ?? low
        const [least, most] = [Math.min(low, now), Math.max(high, now)]
        const room = Math.max((most - least) * 0.15, most * 0.005)
        return [least - room, most + room]
      }
    }
  },
  axes: [
    {
      ...axis(ink),
      size: 26,
      grid: undefined,
      space: 46,
      distances: [1, 2, 3, 4, 5],
      values: (_, splits) =>
        splits.map((each) => (rows()[each] === undefined ? '' : shortDate(rows()[each]!.expiration)))
    },
    { ...axis(ink), scale: 'contracts', size: 50, space: 34, values: (_, splits) => splits.map((each) => short(each)) },
    {
      ...axis(ink),
      scale: 'price',
      side: 'right',
      size: 46,
      space: 34,
      grid: undefined,
      values: (_, splits) => splits.map(level)
    }
  ],
  series: [
    { scale: 'contracts', fill: ink['line-strong'], width: 0, bars },
    {
      scale: 'price',
      stroke: ink.magnet,
      width: 1,
      dash: [2, 3],
      points: { size: 6, fill: ink.panel, stroke: ink.magnet }
    }
  ],
  draw: (plot) => {
    const now = spot.peek()
    if (now === undefined) return
    const { left, width } = plot.bbox
    rule(plot.ctx, [left, left + width], plot.posOf(now, 'price'), ink['ink-2'], [1, 2])
  }
})

const byDateData = (): PlotData => [
  rows().map((_, i) => i),
  rows().map(({ total_oi }) => total_oi),
  rows().map(({ max_pain_strike }) => max_pain_strike)
]

/** Open interest of each expiration as bars, its max pain as a dot on the price axis at the right. */
export function PainByDate() {
  return (
    <Plot
      options={byDateOptions}
      data={byDateData}
      label="Open interest and max pain strike of each expiration, with spot as a dotted line"
    />
  )
}

/** Half the strike range of the curve, share of spot. */
const REACH = 0.08

const curveOptions = (ink: Ink): PlotOptions => ({
  cursor: 'line',
  padding: [8, 10, 0, 4],
  scales: {
    x: { range: (_, low, high) => [low, high] },
    y: { range: (_, __, high) => [0, (high || 1) * 1.06] }
  },
  axes: [
    { ...axis(ink), size: 26, space: 44, values: (_, splits) => splits.map(level) },
    { ...axis(ink), size: 56, space: 34, values: (_, splits) => splits.map((each) => (each === 0 ? '0' : usd(each))) }
  ],
  series: [
    { stroke: ink.call, width: 1 },
    { stroke: ink.put, width: 1 },
    { stroke: ink.price, width: 1.75 }
  ],
  draw: (plot) => {
    const least = pain.answer.peek()?.max_pain_strike
    if (least === undefined) return
    const x = plot.posOf(least, 'x')
    const { left, top, width, height } = plot.bbox
    if (x < left || x > left + width) return
    stroke(plot.ctx, ink.magnet, 1, [2, 3], () => {
      plot.ctx.moveTo(x, top)
      plot.ctx.lineTo(x, top + height)
    })
  }
})

const curveData = (): PlotData => {
  const answer = pain.answer.value
  if (answer === undefined || answer.expiration !== expiration.value) return [[], [], [], []]
  const near = answer.pain_curve.filter(({ strike }) => Math.abs(strike / answer.underlying_price - 1) < REACH)
  return [
    near.map(({ strike }) => strike),
    near.map(({ call_pain }) => call_pain),
    near.map(({ put_pain }) => put_pain),
    near.map(({ total_pain }) => total_pain)
  ]
}

/** Payout to holders of calls and puts at each price at expiration. Its minimum is max pain. */
export function PainCurve() {
  return (
    <Plot
      options={curveOptions}
      data={curveData}
      label="Payout at expiry by price: calls, puts and their sum, with the lowest point marked"
    />
  )
}
