import { fixed } from '../parts/format.ts'
import { daysText, MARKED_DAYS } from '../state/screens/surface-grid.ts'
import { skew, slices, surface } from '../state/screens/volatility-state.ts'
import type { Ink } from './ink.ts'
import type { Axis, PlotData, PlotOptions, Scale } from './plot/plot-canvas.ts'
import { axis, Plot } from './plot.tsx'

/** The square root of days gives near expirations more room. */
const rootOf = (days: number) => Math.sqrt(days)

const timeScale: Scale = { range: (_, low, high) => [low - 0.5, high + 0.5] }

const timeAxis = (ink: Ink): Axis => ({
  ...axis(ink),
  size: 26,
  splits: (plot) => {
    const { min, max } = plot.bounds('x')
    return MARKED_DAYS.map(rootOf).filter((each) => each >= min && each <= max)
  },
  values: (_, splits) => splits.map((each) => daysText(Math.round(each ** 2)))
})

const termOptions = (ink: Ink): PlotOptions => ({
  cursor: 'line',
  padding: [8, 14, 0, 4],
  scales: {
    x: timeScale,
    y: {
      range: (_, low, high) => [Math.max(0, low - (high - low || 1) * 0.25), high + (high - low || 1) * 0.14]
    }
  },
  axes: [
    timeAxis(ink),
    { ...axis(ink), size: 46, space: 34, values: (_, splits) => splits.map((each) => `${each}\u2009%`) }
  ],
  series: [
    { stroke: ink.flip, width: 1.25, dash: [5, 3] },
    { stroke: ink.price, width: 1.75, points: { size: 5, fill: ink.price, stroke: ink.price } }
  ]
})

const termData = (): PlotData => {
  const fair = new Map(
    (surface.answer.value?.variance_swap_fair_values ?? []).map((each) => [each.expiry, each.fair_vol])
  )
  return [
    slices.value.map(({ days_to_expiry }) => rootOf(days_to_expiry)),
    slices.value.map(({ expiry }) => fair.get(expiry) ?? null),
    slices.value.map(({ atm_iv }) => atm_iv)
  ]
}

export function TermStructure() {
  return (
    <Plot
      options={termOptions}
      data={termData}
      label="Volatility at the money and fair volatility of a variance swap by time to expiry"
    />
  )
}

const stems = [0.2, 2] as const

const skewOptions = (ink: Ink): PlotOptions => ({
  cursor: 'line',
  padding: [8, 14, 0, 4],
  scales: {
    x: timeScale,
    y: { range: (_, low, high) => [Math.min(0, low) * 1.12, Math.max(0, high) + (high - low || 1) * 0.14] }
  },
  axes: [
    timeAxis(ink),
    { ...axis(ink), size: 46, space: 34, values: (_, splits) => splits.map((each) => fixed(each, 0)) }
  ],
  series: [
    {
      stroke: ink.put,
      fill: ink.put,
      width: 0,
      bars: stems,
      points: { size: 6, fill: ink.put, stroke: ink.put }
    },
    { stroke: ink.magnet, width: 1.5, points: { size: 4, fill: ink.magnet, stroke: ink.magnet } }
  ]
})

const skewData = (): PlotData => {
  const rows = skew.answer.value?.expiries ?? []
  return [
    rows.map(({ dte }) => rootOf(dte)),
    rows.map(({ risk_reversal_25d }) => risk_reversal_25d),
    rows.map(({ butterfly_25d }) => butterfly_25d)
  ]
}

export function SkewByExpiration() {
  return (
    <Plot
      options={skewOptions}
      data={skewData}
      label="Risk reversal and butterfly at 25 delta by time to expiry, vol points"
    />
  )
}
