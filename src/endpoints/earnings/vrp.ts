import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { symbolInPath } from '../../api/params.ts'
import { Day, Days, Decimal, Nullable, Percent, Ratio, Sigmas, Words } from '../../api/quantity.ts'
import { directionalBiases, moveAssessments, surpriseReaction } from '../../earnings/move-premium.ts'
import { pricedReport, reportAfter } from './next-report.ts'
import { reportPremium } from './report-premium.ts'

const reaction = (kind: string) => Nullable(Percent(`mean move after ${kind}, signed`))

export const earningsVrp = endpoint({
  id: 'earnings.vrp',
  path: '/v1/earnings/vrp/{symbol}',
  tag: 'earnings',
  summary: 'Implied move of the next report against the moves at past ones',
  description: 'Whether the priced move is large or small against the moves that reports really brought.',
  plan: 'alpha',
  needs: ['quote', 'anyChain', 'earnings', 'pastBars'],
  sourceFault: 'upstream_unavailable',
  params: { symbol: symbolInPath() },
  replay: false,
  stream: false,
  response: Type.Object({
    ...envelope,
    earnings_date: Day('as the calendar states it'),
    days_to_event: Days(),
    earnings_vrp: Type.Object(
      {
        implied_move_pct: Nullable(Percent('of the report alone')),
        realized_median: Nullable(Percent('of the absolute moves at the newest 20 reports at most')),
        realized_mean: Nullable(Percent()),
        premium_ratio: Nullable(Ratio('implied over the median')),
        z_score: Nullable(Sigmas('implied above the mean')),
        percentile: Nullable(Decimal(4, 'score-0-100', 'share of past moves below', { minimum: 0, maximum: 100 })),
        assessment: Words(...moveAssessments),
        directional_bias: Nullable(Words(...directionalBiases))
      },
      { title: 'EarningsRiskPremium' }
    ),
    surprise_reaction: Type.Object(
      {
        beat_avg_move_pct: reaction('earnings per share more than 1 % above the estimate'),
        miss_avg_move_pct: reaction('more than 1 % below'),
        inline_avg_move_pct: reaction('between')
      },
      { title: 'SurpriseReaction' }
    )
  }),
  errors: ['no_data'],
  answer: ({ quote, anyChain, earnings, pastBars }) => {
    const { event, days } = reportAfter(quote, earnings)
    const { premium, reports } = reportPremium(earnings, pastBars, pricedReport(anyChain, event))
    const reactions = surpriseReaction(reports)
    return {
      ...header(quote),
      earnings_date: event.date,
      days_to_event: days,
      earnings_vrp: {
        implied_move_pct: premium.implied,
        realized_median: premium.realizedMedian,
        realized_mean: premium.realizedMean,
        premium_ratio: premium.ratio,
        z_score: premium.zScore,
        percentile: premium.percentile,
        assessment: premium.assessment,
        directional_bias: premium.bias
      },
      surprise_reaction: {
        beat_avg_move_pct: reactions.beat,
        miss_avg_move_pct: reactions.miss,
        inline_avg_move_pct: reactions.inline
      }
    }
  }
})
