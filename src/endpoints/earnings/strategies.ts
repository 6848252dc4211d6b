import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { symbolInPath } from '../../api/params.ts'
import { Day, Name, Nullable, Percent, Ratio, Score, Timestamp, Words } from '../../api/quantity.ts'
import { pricedCrush } from '../../earnings/crush.ts'
import { eventPositioning } from '../../earnings/dealer-positioning.ts'
import { expirationThrough } from '../../earnings/event-decomposition.ts'
import { strategyScores } from '../../earnings/strategy-scores.ts'
import { executionQuality } from '../../exposure/liquidity/execution.ts'
import { statedRegimes } from '../../exposure/regime.ts'
import { liveOn } from '../../exposure/scope.ts'
import { sessionsAround } from '../../market/earnings.ts'
import { isoInstant } from '../../market/units.ts'
import { pricedReport, reportAfter } from './next-report.ts'
import { reportPremium } from './report-premium.ts'

export const earningsStrategies = endpoint({
  id: 'earnings.strategies',
  path: '/v1/earnings/strategies/{symbol}',
  tag: 'earnings',
  summary: 'How well common structures suit the next report',
  description: 'Scores common structures for a report, 0 to 100, with the context behind them.',
  plan: 'alpha',
  needs: ['chain', 'earnings', 'pastBars'],
  sourceFault: 'upstream_unavailable',
  params: { symbol: symbolInPath() },
  replay: false,
  stream: false,
  response: Type.Object({
    symbol: Name(),
    as_of: Timestamp('the moment the answer describes, UTC'),
    earnings_date: Day('as the calendar states it'),
    scores: Type.Object(
      {
        long_straddle: Score('cheap premium, dealers short gamma'),
        short_strangle: Score('rich premium, dealers long gamma, volatility that falls'),
        iron_condor: Score('the same with bounded risk'),
        calendar_spread: Score('volatility that falls'),
        earnings_diagonal: Score('the same, with past moves to one side')
      },
      { title: 'EarningsStrategyScores' }
    ),
    context: Type.Object(
      {
        premium_ratio: Nullable(Ratio('implied move over the usual one')),
        iv_crush_median: Nullable(Percent('of the volatility before')),
        regime: Words(...statedRegimes),
        implied_move_pct: Nullable(Percent('of the report alone'))
      },
      { title: 'EarningsStrategyContext' }
    )
  }),
  errors: ['no_data'],
  answer: ({ chain, earnings, pastBars }) => {
    const { event } = reportAfter(chain, earnings)
    const split = pricedReport(chain, event)
    const { premium, crushMedian } = reportPremium(earnings, pastBars, split)
    const { regime } = eventPositioning(chain, event.date)
    const expiration = expirationThrough(chain, sessionsAround(event).before)
    const scores = strategyScores({
      premiumRatio: premium.ratio,
      crushMedian,
      pricedCrush: split && pricedCrush(split).expected,
      regime,
      executionScore: expiration && executionQuality(liveOn(chain, expiration)).score,
      isDirectional: premium.bias !== undefined
    })
    return {
      symbol: chain.symbol,
      as_of: isoInstant(chain.asOf),
      earnings_date: event.date,
      scores: {
        long_straddle: scores.longStraddle,
        short_strangle: scores.shortStrangle,
        iron_condor: scores.ironCondor,
        calendar_spread: scores.calendarSpread,
        earnings_diagonal: scores.earningsDiagonal
      },
      context: {
        premium_ratio: premium.ratio,
        iv_crush_median: crushMedian,
        regime,
        implied_move_pct: premium.implied
      }
    }
  }
})
