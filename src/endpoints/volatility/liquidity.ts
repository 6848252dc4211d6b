import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { symbolInPath } from '../../api/params.ts'
import { Contracts, Count, Day, Days, Nullable, Percent, Score, Words } from '../../api/quantity.ts'
import { chainExecutionScore, executionQuality } from '../../exposure/execution.ts'
import { liveOn } from '../../exposure/scope.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { executionLabel, executionLabels } from '../../wording/volatility.ts'
import { scopeFor } from '../exposure/scoped.ts'

export const liquidity = endpoint({
  id: 'volatility.liquidity',
  path: '/v1/liquidity/{symbol}',
  tag: 'volatility',
  summary: 'What it costs to trade each expiration',
  plan: 'growth',
  needs: ['chain'],
  params: { symbol: symbolInPath() },
  replay: true,
  stream: true,
  response: Type.Object({
    ...envelope,
    chain_execution_score: Score('mean of the expirations by open interest'),
    best_expiry: Nullable(Day()),
    worst_expiry: Nullable(Day()),
    thin_expiry_count: Count('expirations labelled illiquid'),
    expiries: Type.Array(
      Type.Object({
        expiration: Day(),
        dte: Days(),
        atm_spread_pct: Nullable(Percent('of mid, at the listed strike nearest to spot')),
        weighted_spread_pct: Nullable(Percent('of mid, by open interest')),
        atm_oi: Contracts(),
        execution_score: Score(),
        label: Words(...executionLabels)
      })
    )
  }),
  answer: ({ chain }) => {
    const rows = rowsOf(chain)
    const scores = rows.map(({ score }) => score)
    const dateOf = (score: number) => rows.find((row) => row.score === score)?.date
    return {
      ...header(chain),
      chain_execution_score: chainExecutionScore(rows),
      best_expiry: dateOf(Math.max(...scores)),
      worst_expiry: dateOf(Math.min(...scores)),
      thin_expiry_count: rows.filter(({ score }) => executionLabel(score) === 'illiquid').length,
      expiries: rows.map((row) => ({
        expiration: row.date,
        dte: row.days,
        atm_spread_pct: row.atmSpread,
        weighted_spread_pct: row.weightedSpread,
        atm_oi: row.atmOpenInterest,
        execution_score: row.score,
        label: executionLabel(row.score)
      }))
    }
  }
})

/** The execution quality of each live expiration date, ascending. */
function rowsOf(chain: PricedChain) {
  const dates = new Map(
    scopeFor(chain, undefined).expirations.map((at) => [chain.expirations[at].date, chain.carries[at].days])
  )
  return Array.from(dates, ([date, days]) => ({ date, days, ...executionQuality(liveOn(chain, date)) }))
}
