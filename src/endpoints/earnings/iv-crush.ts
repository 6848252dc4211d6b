import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { symbolInPath } from '../../api/params.ts'
import { Count, Day, Name, Nullable, Percent, Timestamp } from '../../api/quantity.ts'
import { crushDistribution, pricedCrush } from '../../earnings/crush.ts'
import { pastReports, recentCrushes } from '../../earnings/past-reports.ts'
import { isReported, nextEvent } from '../../market/earnings.ts'
import { easternDate } from '../../market/eastern.ts'
import { isoInstant } from '../../market/units.ts'
import { pricedReport } from './next-report.ts'

const share = (description: string) => Nullable(Percent(description))

export const earningsIvCrush = endpoint({
  id: 'earnings.iv_crush',
  path: '/v1/earnings/iv-crush/{symbol}',
  tag: 'earnings',
  summary: 'The fall in volatility priced for the next report, and at past ones',
  description:
    'How far volatility is likely to fall after the report: what the term structure prices, and what happened before.',
  plan: 'growth',
  needs: ['anyChain', 'earnings', 'minute'],
  sourceFault: 'upstream_unavailable',
  params: { symbol: symbolInPath('no_data') },
  replay: false,
  stream: false,
  response: Type.Object({
    symbol: Name(),
    as_of: Timestamp('the moment of the chain, UTC; the present minute without one'),
    earnings_date: Nullable(Day('as the calendar states it; null where no coming report is known')),
    current_estimate: Nullable(
      Type.Object(
        {
          expected_crush_pct: Percent('to the volatility of the expiration behind; negative: no fall is priced'),
          pre_iv: Percent('of the first expiration behind the report'),
          post_iv: Percent('of the expiration behind that'),
          ex_event_iv: Percent('everyday volatility, without the report'),
          model_crush_pct: Percent('to everyday volatility: one expiration before and after')
        },
        { title: 'IvCrushEstimate' }
      )
    ),
    distribution: Type.Object(
      {
        median: share('of the volatility before, over the newest 20 reports at most'),
        p25: share('a quarter fell less'),
        p75: share('a quarter fell more'),
        worst: share('the smallest fall'),
        best: share('the largest'),
        count: Count('reports', { minimum: 0, maximum: 20 })
      },
      { title: 'IvCrushDistribution' }
    )
  }),
  errors: ['no_data'],
  answer: ({ anyChain, earnings, minute }, { symbol }) => {
    const asOf = anyChain?.asOf ?? minute
    const event = nextEvent(earnings.events, easternDate(asOf))
    if (event === undefined && !earnings.events.some(isReported)) {
      throw apiError('no_data', `no upcoming or past earnings report of ${symbol} is known`)
    }
    const split = event && pricedReport(anyChain, event)
    const crush = split && pricedCrush(split)
    return {
      symbol,
      as_of: isoInstant(asOf),
      earnings_date: event?.date,
      current_estimate: split &&
        crush && {
          expected_crush_pct: crush.expected,
          pre_iv: split.preIv,
          post_iv: split.postIv,
          ex_event_iv: split.everydayIv,
          model_crush_pct: crush.modelled
        },
      distribution: crushDistribution(recentCrushes(pastReports(earnings, [])))
    }
  }
})
