import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { symbolInPath } from '../../api/params.ts'
import { Contracts, Count, Day, Days, Nullable, Percent, Score, Words } from '../../api/quantity.ts'
import { chainExecution, executionLabels } from '../../exposure/liquidity/execution.ts'
import { scopeFor } from '../exposure/scoped.ts'

export const liquidity = endpoint({
  id: 'liquidity.current',
  path: '/v1/liquidity/{symbol}',
  tag: 'volatility',
  summary: 'Cost of trading each expiration',
  description: 'What it costs to trade options of each expiration: spreads weighted by volume, depth, and a score.',
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
      Type.Object(
        {
          expiration: Day(),
          dte: Days(),
          atm_spread_pct: Nullable(Percent('of mid, at the listed strike nearest to spot')),
          weighted_spread_pct: Nullable(Percent('of mid, by open interest')),
          atm_oi: Contracts(),
          execution_score: Score(),
          label: Words(...executionLabels)
        },
        { title: 'ExpirationLiquidity' }
      ),
      rowKey('expiration')
    )
  }),
  answer: ({ chain }) => {
    scopeFor(chain, undefined)
    const { score, best, worst, thin, expirations } = chainExecution(chain)
    return {
      ...header(chain),
      chain_execution_score: score,
      best_expiry: best,
      worst_expiry: worst,
      thin_expiry_count: thin,
      expiries: expirations.map((row) => ({
        expiration: row.date,
        dte: row.days,
        atm_spread_pct: row.atmSpread,
        weighted_spread_pct: row.weightedSpread,
        atm_oi: row.atmOpenInterest,
        execution_score: row.score,
        label: row.label
      }))
    }
  }
})
