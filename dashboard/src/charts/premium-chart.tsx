import { shortDate } from '../state/day/time.ts'
import { dateOf, days, epochDay, forecast, pointed, premium } from '../state/screens/premium-state.ts'
import { fillDifference } from './difference.ts'
import { font, type Ink } from './ink.ts'
import { dot, ratio, rule, scaled } from './pen.ts'
import type { Axis, PlotCanvas, PlotData, PlotOptions, RangeOf, Series } from './plot/plot-canvas.ts'
import { axis, Plot } from './plot.tsx'

const percentAxis = (ink: Ink): Axis => ({
  ...axis(ink),
  size: 46,
  space: 34,
  values: (_, splits) => splits.map((each) => `${each}\u2009%`)
})

/** The range of the data with a margin, not below 0. */
const roomy: RangeOf = (_, low, high) => {
  const room = (high - low || 1) * 0.14
  return [Math.max(0, low - room), high + room]
}

/** Implied volatility solid, realized volatility dashed. */
const pair = (ink: Ink): Series[] => [
  { stroke: ink.price, width: 1.75 },
  { stroke: ink['ink-2'], width: 1.5, dash: [4, 3] }
]

const historyOptions = (ink: Ink): PlotOptions => ({
  cursor: 'points',
  padding: [10, 26, 0, 4],
  scales: { x: { range: (_, low, high) => [low, high] }, y: { range: roomy } },
  axes: [
    {
      ...axis(ink),
      size: 28,
      space: 74,
      distances: [1, 7, 14, 28, 56, 91],
      values: (_, splits) => splits.map((each) => shortDate(dateOf(each)))
    },
    percentAxis(ink)
  ],
  series: pair(ink),
  under: (plot) => fillDifference(plot, ink),
  onPointer: (plot) => {
    pointed.value = plot.pointer?.nearest
  }
})

const historyData = (): PlotData => [
  days.value.map(({ date }) => epochDay(date)),
  days.value.map(({ implied }) => implied),
  days.value.map(({ realized }) => realized)
]

/** Implied volatility of each day and realized volatility of the 20 days before it. */
export function ImpliedAgainstRealized() {
  return (
    <Plot
      options={historyOptions}
      data={historyData}
      label="Implied volatility at the money and realized volatility of 20 days by date, with their difference filled"
    />
  )
}

const terms = () => premium.answer.value?.term_vrp ?? []

const termOptions = (ink: Ink): PlotOptions => ({
  cursor: 'line',
  padding: [10, 18, 0, 4],
  scales: { x: { range: (_, low, high) => [low - 0.15, high + 0.15] }, y: { range: roomy } },
  axes: [
    {
      ...axis(ink),
      size: 28,
      distances: [1],
      values: (_, splits) => splits.map((each) => (terms()[each] === undefined ? '' : `${terms()[each]!.dte}d`))
    },
    percentAxis(ink)
  ],
  series: pair(ink),
  under: (plot) => fillDifference(plot, ink),
  draw: (plot) => {
    for (const [i, { iv, rv }] of terms().entries()) {
      const x = plot.posOf(i, 'x')
      dot(plot.ctx, x, plot.posOf(iv, 'y'), 3, ink.price)
      dot(plot.ctx, x, plot.posOf(rv, 'y'), 3, ink['ink-2'])
    }
  }
})

const termData = (): PlotData => [terms().map((_, i) => i), terms().map(({ iv }) => iv), terms().map(({ rv }) => rv)]

/** Volatility risk premium by horizon. */
export function PremiumByTerm() {
  return (
    <Plot
      options={termOptions}
      data={termData}
      label="Implied and realized volatility by days, with their difference filled"
    />
  )
}

/** Trading days of the forecast; its long-run mean is drawn beyond them. */
const MONTH = 21

/** Draws a labelled horizontal line. */
function named(plot: PlotCanvas, ink: Ink, value: number | null | undefined, name: string, dash: readonly number[]) {
  if (value === null || value === undefined) return
  const { left, width } = plot.bbox
  const y = plot.posOf(value, 'y')
  rule(plot.ctx, [left, left + width], y, ink['ink-3'], dash)
  plot.ctx.save()
  plot.ctx.fillStyle = ink['ink-2']
  plot.ctx.font = scaled(font(11))
  plot.ctx.textAlign = 'right'
  plot.ctx.textBaseline = 'bottom'
  plot.ctx.fillText(name, left + width - 4 * ratio(), y - 3 * ratio())
  plot.ctx.restore()
}

const forecastOptions = (ink: Ink): PlotOptions => ({
  cursor: 'line',
  padding: [10, 18, 0, 4],
  scales: {
    x: { range: [0, MONTH + 1] },
    y: {
      range: (_, low, high) => {
        const { garch } = forecast.answer.peek() ?? {}
        const others = [premium.answer.peek()?.vrp.atm_iv, garch?.long_run_vol_annualized]
        const seen = [low, high, ...others].filter((each) => typeof each === 'number')
        const [least, most] = [Math.min(...seen), Math.max(...seen)]
        const room = Math.max(1, (most - least) * 0.2)
        return [Math.max(0, least - room), most + room]
      }
    }
  },
  axes: [
    {
      ...axis(ink),
      size: 28,
      splits: () => [1, 5, 10, MONTH],
      values: (_, splits) => splits.map((each) => `${each}d`)
    },
    percentAxis(ink)
  ],
  series: [
    { stroke: ink.price, width: 1.75, points: { size: 6, fill: ink.price, stroke: ink.price } },
    { stroke: ink.call, width: 0, points: { size: 8, fill: ink.call, stroke: ink.call } },
    { stroke: ink.put, width: 0, points: { size: 8, fill: ink.panel, stroke: ink.put } }
  ],
  under: (plot) => {
    named(plot, ink, forecast.answer.peek()?.garch.long_run_vol_annualized, 'long run', [2, 3])
    named(plot, ink, premium.answer.peek()?.vrp.atm_iv, 'implied', [6, 3])
  }
})

/** The models share only the first day. */
const forecastData = (): PlotData => {
  void premium.answer.value?.vrp.atm_iv
  const answer = forecast.answer.value
  if (answer === undefined) return [[], [], [], []]
  const curve = new Map(answer.garch.forecast?.map((each) => [each.horizon_days, each.vol_annualized]))
  const horizons = [...new Set([1, ...curve.keys()])].sort((a, b) => a - b)
  const first = (value: number) => horizons.map((day) => (day === 1 ? value : null))
  return [
    horizons,
    horizons.map((day) => curve.get(day) ?? null),
    first(answer.ewma.next_day_forecast),
    first(answer.har_rv.next_day_forecast)
  ]
}

/** Volatility forecasts of several models. */
export function Forecast() {
  return (
    <Plot
      options={forecastOptions}
      data={forecastData}
      label="Forecasts of volatility by trading days ahead, with implied volatility and the long run"
    />
  )
}
