import Type from 'typebox'
import { rowKey } from '../../../api/annotations.ts'
import { endpoint } from '../../../api/endpoint.ts'
import { apiError } from '../../../api/error.ts'
import { choice } from '../../../api/params.ts'
import { Decimal, Nullable, Price, Timestamp, Words } from '../../../api/quantity.ts'
import type { ZeroDteSamples } from '../../../flow/tape-views.ts'
import { isoInstant, MILLISECONDS_PER_MINUTE } from '../../../market/units.ts'
import { SAMPLE_STEP, type StrikeMinute } from '../../../market/zero-dte-sample.ts'
import { onGrid, type StrikeGrid, strikeGrid, strikeGridBlock } from './strike-grid.ts'
import { byStrikeMinute } from './window.ts'

const CENTS = 100
const money = (column: 'gex' | 'dex' | 'vex' | 'chex' | 'signedDelta') => (row: StrikeMinute, k: number) =>
  row[column][k] / CENTS

const metrics = {
  gex: money('gex'),
  dex: money('dex'),
  vex: money('vex'),
  chex: money('chex'),
  oi: (row: StrikeMinute, k: number) => row.oi[k],
  signed_flow: money('signedDelta')
}
type Metric = keyof typeof metrics
const metricNames = Object.keys(metrics) as readonly Metric[]

const metric = choice({
  description: 'gex, dex, vex, chex, oi or signed_flow',
  spelling: { gex: 'gex', dex: 'dex', vex: 'vex', chex: 'chex', oi: 'oi', signed_flow: 'signed_flow' } as const,
  default: 'gex',
  code: 'invalid_metric'
})

const mode = choice({
  description: 'raw, or delta: the change since the previous bar',
  spelling: { raw: 'raw', delta: 'delta' } as const,
  default: 'raw',
  code: 'invalid_mode'
})

export const zeroDteHeatmap = endpoint({
  id: 'flow.zero_dte_heatmap',
  path: '/v1/flow/zero-dte/heatmap/{symbol}',
  tag: 'flow',
  summary: 'One figure of the contracts that expire that day, by strike and minute',
  description:
    "A heat map of the session: strikes by minutes of one figure of today's contracts, raw or as change from bar to bar.",
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['strikeMinutes', 'samples', 'minute'],
  errors: ['no_strike_data_for_window'],
  params: {
    ...byStrikeMinute,
    metric,
    mode
  },
  replay: true,
  stream: false,
  response: Type.Object({
    ...strikeGridBlock.schema.properties,
    metric: Words(...metricNames),
    mode: Words('raw', 'delta'),
    bars: Type.Array(
      Type.Object(
        {
          t: Timestamp('the beginning of the minute'),
          spot: Nullable(Price()),
          values: Type.Array(Nullable(Decimal(2, 'usd-notional', 'contracts for the metric oi')))
        },
        { title: 'HeatmapBar' }
      ),
      { ...rowKey('t'), description: 'ascending; values are parallel to strikes_grid' }
    )
  }),
  answer: ({ strikeMinutes, samples, minute }, { symbol, metric, mode, minutes }) => {
    const grid = strikeGrid(strikeMinutes, minute, minutes)
    if (grid.minutes.length === 0) refuseUnrecorded(grid, samples)
    const raw = grid.minutes.map((row) => onGrid(grid, row, (k) => metrics[metric](row, k)))
    const isChange = mode === 'delta' && metric !== 'signed_flow'
    return {
      ...strikeGridBlock.fill(grid, symbol),
      metric,
      mode,
      bars: grid.minutes.map(({ t, spot }, k) => ({
        t: isoInstant(t),
        spot,
        values: isChange && k > 0 ? changes(raw[k], raw[k - 1]) : raw[k]
      }))
    }
  }
})

type Values = readonly (number | undefined)[]

/**
 * Change of each value since the previous bar, rounded to whole cents, so that the changes of a strike add up exactly
 * to its value.
 */
function changes(values: Values, before: Values): Values {
  return values.map((value, k) => {
    const last = before[k]
    return value === undefined || last === undefined ? undefined : Math.round(CENTS * (value - last)) / CENTS
  })
}

/** Throws if the window has full minutes that were recorded in samples, but without figures by strike. */
function refuseUnrecorded({ window }: StrikeGrid, samples: ZeroDteSamples | undefined): void {
  const { session, from, end } = window
  const ends = samples?.session === session ? samples.samples.map(({ t }) => t + SAMPLE_STEP) : []
  if (ends.some((at) => at > from && at <= end && at % MILLISECONDS_PER_MINUTE === 0))
    throw apiError('no_strike_data_for_window')
}
