import { computed, type ReadonlySignal } from '@preact/signals'
import type { ChartData } from '../../charts/time/data.ts'
import { fixed, level, percent, price, short, usd } from '../../parts/format.ts'
import { type Chart, chart } from '../../state/chart/chart-state.ts'
import { FIELDS, type Unit } from '../../state/chart/fields.ts'
import { STEP_LENGTHS } from '../../state/chart/period.ts'
import { type Day, page } from '../../state/day/day.ts'
import type { Mark } from '../../state/day/level-marks.ts'
import { candles } from '../../state/page/reader.ts'
import { PAGE, type Subject } from '../../state/service/question.ts'

const WRITERS: Readonly<Record<Unit, (value: number) => string>> = {
  usd: (value) => usd(value),
  price: (value) => price(value),
  percent: (value) => percent(value, 'plain'),
  number: (value) => (Math.abs(value) < 100 ? fixed(value, 2) : short(value)),
  score: (value) => fixed(value, 0)
}

/** All data that the chart of a subject draws. Undefined until bars of its symbol are known. */
export function chartDataAt(
  { place, at }: Subject,
  { spot }: Pick<Day, 'spot'>,
  chart: Chart
): ReadonlySignal<ChartData | undefined> {
  const { carried, chartMap, chartMarks, chartStrikes, compared, cone, history, shownLevels, shownPanes } = chart
  /** Columns through time: of the bars, and therefore of one symbol and moment. */
  const columns = computed(() => {
    const known = history.value
    if (known === undefined) return undefined
    return {
      lines: [
        ...shownLevels.value.flatMap(({ field, ...level }) => {
          const values = known.columns[field]
          return values === undefined ? [] : [{ ...level, values }]
        }),
        ...(carried.value ?? [])
      ],
      panes: shownPanes.value.flatMap((id) => {
        const values = known.columns[id]
        const { name, unit, isSigned } = FIELDS[id]!
        return values === undefined
          ? []
          : [{ id, title: name, shape: isSigned ? ('bars' as const) : ('line' as const), values, write: WRITERS[unit] }]
      })
    }
  })

  /** Carried levels of the last bar, with what they are on their own symbol: SPX call wall 6,950 → 694.60. */
  const carriedMarks = computed((): readonly Mark[] =>
    (carried.value ?? []).flatMap(({ name, of, values, tone, dash }) => {
      const value = values.at(-1)!
      return Number.isNaN(value) ? [] : [{ names: [`${name} ${level(of.at(-1))} →`], value, tone, dash }]
    })
  )

  /** Price of the answers, not of ticks: those reach the chart by themselves. */
  const spotNow = computed(() => (at.value === undefined ? undefined : spot.value))

  return computed((): ChartData | undefined => {
    const known = history.value
    if (known === undefined) return undefined
    return {
      stamp: { symbol: known.symbol, at: at.value ?? 'live' },
      every: known.every,
      step: STEP_LENGTHS[known.every],
      bars: known.bars,
      candles: candles.value,
      ...columns.value!,
      marks: [...chartMarks.value, ...carriedMarks.value].sort((a, b) => b.value - a.value),
      spot: spotNow.value,
      compared: compared.value,
      map: chartMap.value,
      strikes: chartStrikes.value,
      isRootScale: place.value.scale === 'root',
      cone: cone.value || undefined,
      range: place.value.range
    }
  })
}

export const chartData = chartDataAt(PAGE, page, chart)
