import { expect } from 'vitest'
import type { Gex, Matrix } from '../answers.ts'
import { ascending, expectAll, expectSum, type Invariants, total } from './invariant.ts'

const metrics = ['gex', 'dex', 'vex', 'chex', 'oi', 'oi_change', 'volume']
const sum = (values: readonly (number | null)[]) => total(values, (value) => value ?? 0)

export const matrix: Invariants<Matrix> = {
  queries: () => [
    ...metrics.map((metric) => ({ metric })),
    { range_pct: '0.5' },
    { range_pct: '50' },
    { by: 'time' },
    { by: 'time', metric: 'oi', range_pct: '20' }
  ],
  checks: {
    'len(values) == len(strikes), each row len(columns)': ({ values, strikes, columns }) => {
      expect(values).toHaveLength(strikes.length)
      expectAll(values, (row) => row.length === columns.length)
    },
    'by expiration and gex, sum of column totals and outside == net_gex of the plain endpoint (0.05)': (
      { by, metric, column_totals, outside },
      { other }
    ) => {
      if (by !== 'expiration' || metric !== 'gex') return
      const { net_gex } = other<Gex>('/v1/exposure/gex/{symbol}')!
      expectSum(net_gex, sum(column_totals) + sum(outside), 2 * outside.length)
    }
  },
  further: {
    'totals are those of the rows and columns': ({ values, columns, row_totals, column_totals, outside }) => {
      expect([row_totals.length, column_totals.length, outside.length]).toEqual([
        values.length,
        columns.length,
        columns.length
      ])
      for (const [k, row] of values.entries()) expectSum(row_totals[k], sum(row), row.length)
      for (const k of columns.keys()) expectSum(column_totals[k], sum(values.map((row) => row[k])), values.length)
    },
    'strikes and columns ascend, strikes within the range': ({ strikes, columns, underlying_price }, { query }) => {
      expect(ascending(strikes)).toBe(true)
      expect(ascending(columns)).toBe(true)
      const reach = (Number(query['range_pct'] ?? 5) / 100) * underlying_price
      expectAll(strikes, (strike) => Math.abs(strike - underlying_price) <= reach + 1e-9)
    },
    'a column of one expiration holds what the plain endpoint says of it': ({ by, metric, ...answer }, { other }) => {
      if (by !== 'expiration' || metric !== 'gex') return
      for (const [k, expiration] of answer.columns.entries()) {
        const { net_gex, strikes } = other<Gex>('/v1/exposure/gex/{symbol}', { expiration })!
        expectSum(net_gex, answer.column_totals[k] + answer.outside[k], 2)
        const found = new Map(strikes.map((row) => [row.strike, row.net_gex]))
        expectAll(answer.strikes, (strike, row) => (answer.values[row][k] ?? 0) === (found.get(strike) ?? 0))
      }
    }
  }
}
