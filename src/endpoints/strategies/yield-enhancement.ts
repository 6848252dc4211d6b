import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { block } from '../../api/block.ts'
import { endpoint } from '../../api/endpoint.ts'
import { choice } from '../../api/params.ts'
import { Day, Days, Nullable, Percent, Price, Ratio, Share, Usd, Words } from '../../api/quantity.ts'
import { type IncomeKind, incomeKinds } from '../../signals/strategies/structures.ts'
import { USUAL_OPEN_INTEREST } from '../../signals/strategies/tradable-contracts.ts'
import {
  type YieldFigures,
  yieldEnhancementSignal,
  yieldRegimes
} from '../../signals/strategies/yield-enhancement-signal.ts'
import { RANK_SESSIONS } from '../../volatility/term/implied-rank.ts'
import { yieldReasons } from '../../wording/strategy-reasons.ts'
import { decided, decisionSchema, declared, subject } from './decision-block.ts'
import { delta, flag, incomeExpiry, minOpenInterest, symbol } from './parameters.ts'

const yes = (description: string) => Nullable(Type.Boolean({ description }))

const metrics = block(
  Type.Object(
    {
      structure: Nullable(Words(...incomeKinds)),
      strike: Nullable(Price()),
      delta: Nullable(Ratio('of the option itself')),
      premium: Nullable(Usd('mid, per share')),
      annualized_yield_pct: Nullable(Percent('premium a year of the capital that is tied up')),
      assignment_probability: Nullable(Share('risk-neutral', { minimum: 0, maximum: 1 })),
      upside_surrender_pct: Nullable(Percent('from spot to the strike of a call: gains beyond are given up')),
      dte: Nullable(Days()),
      earnings_before_expiry: yes('null without an earnings calendar'),
      ex_dividend_risk: yes('null while no dividends of the underlying are known'),
      dividends: Nullable(
        Type.Array(Type.Object({ ex_date: Day(), amount: Price('USD per share') }, { title: 'ExpectedDividend' }), {
          ...rowKey('ex_date'),
          description: 'those known to go ex by the expiration; null while no dividends of the underlying are known'
        })
      ),
      breakeven_price: Nullable(Price()),
      iv_rank_30d: Nullable(Percent('within the range of the last 30 stored sessions', { minimum: 0, maximum: 100 })),
      roll_candidate: Nullable(
        Type.Object({ expiry: Day(), strike: Price(), premium: Usd() }, { title: 'RollCandidate' })
      ),
      next_earnings_date: Nullable(Day()),
      days_to_next_earnings: Nullable(Days()),
      underlying_price: Price()
    },
    { title: 'YieldEnhancementMetrics' }
  ),
  (figures: YieldFigures | undefined, spot: number, kind: IncomeKind) => {
    const pick = figures?.pick
    return {
      structure: kind,
      strike: pick?.strike,
      delta: pick?.delta,
      premium: pick?.premium,
      annualized_yield_pct: pick?.annualYield,
      assignment_probability: pick?.assignment,
      upside_surrender_pct: pick?.surrendered,
      dte: figures?.days,
      earnings_before_expiry: figures?.earningsBefore,
      ex_dividend_risk: figures?.dividends && figures.dividends.length > 0,
      dividends: figures?.dividends?.map(({ exDate, amount }) => ({ ex_date: exDate, amount })),
      breakeven_price: pick?.breakeven,
      iv_rank_30d: figures?.ivRank,
      roll_candidate: pick?.roll,
      next_earnings_date: figures?.nextEarnings,
      days_to_next_earnings: figures?.daysToEarnings,
      underlying_price: spot
    }
  }
)

export const yieldEnhancement = endpoint({
  ...declared,
  id: 'strategies.yield_enhancement',
  path: '/v1/strategies/yield-enhancement/{symbol}',
  summary: 'The covered call or cash-secured put near a delta that pays best',
  description:
    'Picks the call to write on stock or the put to write on cash, with yield, chance of assignment, dividends and reports on the way.',
  plan: 'growth',
  needs: [...subject, 'records'],
  recordsRead: () => RANK_SESSIONS,
  params: {
    symbol,
    expiry: incomeExpiry,
    targetDelta: delta,
    minOpenInterest: minOpenInterest(USUAL_OPEN_INTEREST),
    structure: choice<IncomeKind>({
      description: 'covered_call or cash_secured_put',
      spelling: { covered_call: 'covered_call', cash_secured_put: 'cash_secured_put' },
      default: 'covered_call',
      code: 'invalid_structure'
    }),
    excludeEarningsBeforeExpiry: flag('whether a report before the expiration weighs on candidates', 'yes')
  },
  response: decisionSchema('yield_enhancement', yieldRegimes, metrics.schema),
  answer: (
    { records, ...inputs },
    { expiry, targetDelta, minOpenInterest, structure: kind, excludeEarningsBeforeExpiry }
  ) => {
    const terms = { kind, targetDelta, minOpenInterest, avoidsEarnings: excludeEarningsBeforeExpiry === 'yes' }
    return decided(inputs, {
      signal: 'yield_enhancement',
      unread: 'no_yield_candidate',
      assess: (chain) => yieldEnhancementSignal(chain, expiry, { records, earnings: inputs.earningsDates }, terms),
      metrics: (figures: YieldFigures | undefined, spot) => metrics.fill(figures, spot, kind),
      reasons: yieldReasons,
      sessions: records.length
    })
  }
})
