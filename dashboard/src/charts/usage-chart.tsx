import { short } from '../parts/format.ts'
import { shortDate } from '../state/day/time.ts'
import { account } from '../state/screens/account-state.ts'
import type { Ink } from './ink.ts'
import type { PlotData, PlotOptions } from './plot/plot-canvas.ts'
import { axis, Plot } from './plot.tsx'

const bars = [0.7, 16] as const
const DAY = 86_400_000
/** Axis steps are whole numbers, since requests are. */
const STEPS = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000].flatMap((unit) => [unit, 2 * unit, 5 * unit])
/** Least number of days to draw. */
const LEAST = 30

const dateAt = (time: number) => new Date(time).toISOString().slice(0, 10)

const options = (ink: Ink): PlotOptions => ({
  cursor: 'line',
  padding: [8, 12, 0, 4],
  scales: {
    x: { range: (_, low, high) => [low - 0.6 * DAY, high + 0.6 * DAY] },
    y: { range: (_, __, high) => [0, Math.max(4, (high ?? 0) * 1.1)] }
  },
  axes: [
    {
      ...axis(ink),
      size: 26,
      grid: undefined,
      space: 58,
      distances: [DAY, 2 * DAY, 7 * DAY, 14 * DAY, 28 * DAY],
      values: (_, splits) => splits.map((each) => shortDate(dateAt(each)))
    },
    { ...axis(ink), size: 46, space: 34, distances: STEPS, values: (_, splits) => splits.map((each) => short(each)) }
  ],
  series: [{ fill: ink.call, width: 0, bars }]
})

/** Every day up to today; days without requests are 0. */
const data = (): PlotData => {
  const answer = account.answer.value
  if (answer === undefined) return [[], []]
  const counts = new Map(answer.usage_by_day.map(({ date, requests }) => [date, requests]))
  const today = Date.parse(answer.resets_at) - DAY
  const first = Math.min(Date.parse(answer.usage_by_day[0]?.date ?? dateAt(today)), today - (LEAST - 1) * DAY)
  const days = Array.from({ length: Math.round((today - first) / DAY) + 1 }, (_, i) => first + i * DAY)
  return [days, days.map((day) => counts.get(dateAt(day)) ?? 0)]
}

export function UsageByDay() {
  return <Plot options={options} data={data} label="Requests of each day, UTC" />
}
