import { useMemo } from 'preact/hooks'
import { usd } from '../parts/format.ts'
import { shortDate } from '../state/day/time.ts'
import type { Exposures } from '../state/screens/exposures.ts'
import type { Ink } from './ink.ts'
import type { PlotData, PlotOptions } from './plot/plot-canvas.ts'
import { axis, Plot } from './plot.tsx'

const bars = [0.66, 22] as const
/** Most expirations to draw: with more, the bars would be too thin for a label. */
const COUNT = 18

type Term = Exposures['term']

const optionsOf =
  (term: Term) =>
  (ink: Ink): PlotOptions => ({
    cursor: 'line',
    padding: [8, 12, 0, 4],
    scales: {
      x: { range: (_, low, high) => [low - 0.6, high + 0.6] },
      y: {
        range: (_, low, high) => {
          const [least, most] = [Math.min(low ?? 0, 0), Math.max(high ?? 0, 0)]
          const room = (most - least || 1) * 0.08
          return [least < 0 ? least - room : 0, most + room]
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
        values: (_, splits) => splits.map((each) => dateOf(term, each))
      },
      {
        ...axis(ink),
        size: 56,
        space: 34,
        values: (plot, splits) => splits.map((each) => (plot.data[0].length === 0 ? '' : each === 0 ? '0' : usd(each)))
      }
    ],
    series: [
      { fill: ink.call, width: 0, bars },
      { fill: ink.put, width: 0, bars }
    ]
  })

function dateOf(term: Term, index: number): string {
  const row = term.answer.peek()?.by_expiry[index]
  return row === undefined ? '' : shortDate(row.expiration)
}

const dataOf = (term: Term): PlotData => {
  const rows = (term.answer.value?.by_expiry ?? []).slice(0, COUNT)
  return [
    rows.map((_, i) => i),
    rows.map(({ net_gex }) => (net_gex >= 0 ? net_gex : null)),
    rows.map(({ net_gex }) => (net_gex < 0 ? net_gex : null))
  ]
}

export function ByExpiration({ term }: { readonly term: Term }) {
  const options = useMemo(() => optionsOf(term), [term])
  const data = useMemo(() => () => dataOf(term), [term])
  return <Plot options={options} data={data} label="Net gamma exposure of each expiration" />
}
