import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { symbolInPath, whole } from '../../api/params.ts'
import { Count, Day, Echo, Name, Nullable, Percent } from '../../api/quantity.ts'
import { pastReports, surprise } from '../../earnings/past-reports.ts'
import { MAX_PAST_EVENTS } from '../../market/earnings.ts'

export const earningsHistory = endpoint({
  id: 'earnings.history',
  path: '/v1/earnings/history/{symbol}',
  tag: 'earnings',
  summary: 'Past reports: surprises, moves and the fall in volatility',
  description: 'What past reports brought: surprise, move, and how far volatility fell, one row a report.',
  plan: 'growth',
  needs: ['earnings', 'pastBars'],
  sourceFault: 'upstream_unavailable',
  params: {
    symbol: symbolInPath('no_data'),
    limit: whole({ description: 'reports at most', default: 12, minimum: 1, maximum: MAX_PAST_EVENTS, clamp: true })
  },
  replay: false,
  stream: false,
  response: Type.Object({
    symbol: Name(),
    count: Count(),
    history: Type.Array(
      Type.Object(
        {
          date: Day(),
          fiscal_period: Nullable(Name()),
          fiscal_year: Nullable(Type.Integer({ 'x-unit': 'year' })),
          eps_estimate: Nullable(Echo('usd', 'per share')),
          eps_actual: Echo('usd', 'per share'),
          eps_surprise_pct: Nullable(Percent('of the estimate')),
          revenue_actual: Nullable(Echo('usd')),
          revenue_surprise_pct: Nullable(Percent('of the estimate')),
          implied_move_pct: Nullable(Percent('of the report alone, at the close before')),
          actual_move_pct: Nullable(Percent('from the close before to the close after, signed')),
          iv_crush_pct: Nullable(Percent('of the volatility before')),
          pre_atm_iv: Nullable(Percent('of the first expiration behind the report, at the close before')),
          post_atm_iv: Nullable(Percent('of the same expiration, at the close after'))
        },
        { title: 'EarningsReport' }
      ),
      { ...rowKey('date'), minItems: 1, maxItems: MAX_PAST_EVENTS }
    )
  }),
  errors: ['no_data'],
  answer: ({ earnings, pastBars }, { symbol, limit }) => {
    const reports = pastReports(earnings, pastBars).slice(-limit).toReversed()
    if (reports.length === 0) throw apiError('no_data', `no past earnings report of ${symbol} is known`)
    return {
      symbol,
      count: reports.length,
      history: reports.map(({ event, move, record, crush }) => ({
        date: event.date,
        fiscal_period: event.fiscalPeriod,
        fiscal_year: event.fiscalYear,
        eps_estimate: event.epsEstimate,
        eps_actual: event.epsActual,
        eps_surprise_pct: surprise(event.epsActual, event.epsEstimate),
        revenue_actual: event.revenueActual,
        revenue_surprise_pct: surprise(event.revenueActual, event.revenueEstimate),
        implied_move_pct: record?.impliedMove,
        actual_move_pct: move,
        iv_crush_pct: crush,
        pre_atm_iv: record?.preIv,
        post_atm_iv: record?.postIv
      }))
    }
  }
})
