import Type from 'typebox'
import { rowKey } from '../../../api/annotations.ts'
import { endpoint } from '../../../api/endpoint.ts'
import { choice, whole } from '../../../api/params.ts'
import { Count, Decimal, Name, Timestamp, Words } from '../../../api/quantity.ts'
import type { NewestSample } from '../../../flow/tape-views.ts'
import { isMarketOpen } from '../../../market/clock.ts'
import { isoInstant } from '../../../market/units.ts'
import { SAMPLE_STEP } from '../../../market/zero-dte-sample.ts'

const CENTS = 100

/** Figures by which symbols can be ranked, highest first. Undefined for a symbol without the figure. */
const metrics = {
  heat: ({ newest: { hedgeCalls, hedgePuts, netGex } }: NewestSample) =>
    netGex === 0 ? undefined : Math.abs(hedgeCalls + hedgePuts) / CENTS / Math.abs(netGex),
  pin_risk: ({ newest: { pinScore } }: NewestSample) => Math.round(pinScore),
  abs_flow: ({ newest, before }: NewestSample) =>
    (Math.abs(newest.hedgeCalls - (before?.hedgeCalls ?? 0)) + Math.abs(newest.hedgePuts - (before?.hedgePuts ?? 0))) /
    CENTS,
  charm_intensity: ({ newest: { charmPerHour } }: NewestSample) => charmPerHour && Math.abs(charmPerHour)
}
type Metric = keyof typeof metrics

const metric = choice({
  description: 'heat, pin_risk, abs_flow or charm_intensity',
  spelling: { heat: 'heat', pin_risk: 'pin_risk', abs_flow: 'abs_flow', charm_intensity: 'charm_intensity' } as const,
  default: 'heat',
  code: 'invalid_metric'
})

export const zeroDteLeaderboard = endpoint({
  id: 'flow.zero_dte_leaderboard',
  path: '/v1/flow/zero-dte/leaderboard',
  tag: 'flow',
  summary: 'Symbols ranked by one figure of the contracts that expire that day',
  description:
    'Which symbols have the most going on in contracts that expire today, by heat, pin risk, absolute flow or charm.',
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['newestSamples', 'halfMinute'],
  params: {
    metric,
    n: whole({ description: 'symbols at most', default: 20, minimum: 1, maximum: 100, clamp: true })
  },
  replay: true,
  stream: false,
  response: Type.Object({
    metric: Words(...(Object.keys(metrics) as readonly Metric[])),
    n: Count('symbols at most'),
    as_of: Timestamp('the end of the newest raw bar of any symbol'),
    market_open: Type.Boolean(),
    entries: Type.Array(
      Type.Object(
        {
          rank: Count('1 is the highest', { minimum: 1 }),
          symbol: Name(),
          value: Decimal(6, 'by the metric', 'a ratio for heat, a score for pin_risk, else USD')
        },
        { title: 'ZeroDteLeader', ...rowKey('symbol') }
      ),
      rowKey('symbol')
    )
  }),
  answer: ({ newestSamples, halfMinute }, { metric, n }) => {
    const ranked = newestSamples
      .flatMap((found) => {
        const value = metrics[metric](found)
        return value === undefined ? [] : [{ symbol: found.symbol, value }]
      })
      .sort((a, b) => b.value - a.value || (a.symbol < b.symbol ? -1 : 1))
    const ends = newestSamples.map(({ newest }) => newest.t + SAMPLE_STEP)
    return {
      metric,
      n,
      as_of: isoInstant(ends.length === 0 ? halfMinute : Math.max(...ends)),
      market_open: isMarketOpen(halfMinute),
      entries: ranked.slice(0, n).map(({ symbol, value }, k) => ({ rank: k + 1, symbol, value }))
    }
  }
})
