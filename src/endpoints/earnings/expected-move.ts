import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { symbolInPath } from '../../api/params.ts'
import { Day, Days, Nullable, Percent } from '../../api/quantity.ts'
import { Timing } from './event-fields.ts'
import { pricedReport, reportAfter } from './next-report.ts'

export const earningsExpectedMove = endpoint({
  id: 'earnings.expected_move',
  path: '/v1/earnings/expected-move/{symbol}',
  tag: 'earnings',
  summary: 'Implied move of the next report, split into the report and everyday trading',
  description: 'How large a move options price for the report itself, with everyday volatility taken out.',
  plan: 'growth',
  needs: ['quote', 'anyChain', 'earnings'],
  sourceFault: 'upstream_unavailable',
  params: { symbol: symbolInPath() },
  replay: false,
  stream: false,
  response: Type.Object({
    ...envelope,
    earnings_date: Day('as the calendar states it'),
    session: Timing(),
    days_to_event: Days(),
    expected_move: Nullable(
      Type.Object(
        {
          raw_straddle_pct: Percent('expected absolute move to the first expiration behind the report'),
          earnings_implied_pct: Percent('the part of the report'),
          baseline_drift_pct: Percent('the part of everyday trading; squares add up'),
          earnings_iv: Percent('volatility at the money of that expiration'),
          term_iv_post_event: Percent('of the expiration behind it'),
          term_kink_pct: Percent('the first above the second, vol points')
        },
        { title: 'EarningsMoveEstimate', description: 'null where the term structure resolves nothing' }
      )
    )
  }),
  errors: ['no_data'],
  answer: ({ quote, anyChain, earnings }) => {
    const { event, days } = reportAfter(quote, earnings)
    const split = pricedReport(anyChain, event)
    return {
      ...header(quote),
      earnings_date: event.date,
      session: event.timing,
      days_to_event: days,
      expected_move: split && {
        raw_straddle_pct: split.straddle,
        earnings_implied_pct: split.jump,
        baseline_drift_pct: split.drift,
        earnings_iv: split.preIv,
        term_iv_post_event: split.postIv,
        term_kink_pct: split.preIv - split.postIv
      }
    }
  }
})
