import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { symbolInPath } from '../../api/params.ts'
import { Contracts, Day, Days, Percent, Words } from '../../api/quantity.ts'
import { sumOf } from '../../exposure/by-strike.ts'
import { expiryBuckets, exposureByExpiration, totalOf } from '../../exposure/term-structure.ts'
import { isMonthlyOpex, isTripleWitching } from '../../market/calendar.ts'
import { netFields, wireNet } from './net-block.ts'
import { scopeFor } from './scoped.ts'

export const termStructure = endpoint({
  id: 'exposure.term_structure',
  path: '/v1/exposure/term-structure/{symbol}',
  tag: 'exposure',
  summary: 'Exposure by time to expiry',
  plan: 'growth',
  needs: ['chain'],
  params: { symbol: symbolInPath() },
  replay: true,
  stream: true,
  response: Type.Object({
    ...envelope,
    by_dte_bucket: Type.Array(
      Type.Object({
        bucket: Words('0-7d', '8-30d', '31-60d', '61-180d', '180d+'),
        dte_range: Type.Array(Days(), { minItems: 2, maxItems: 2, description: 'days, both ends included' }),
        ...netFields,
        contract_count: Contracts('contracts with open interest')
      })
    ),
    by_expiry: Type.Array(
      Type.Object({
        expiration: Day(),
        dte: Days(),
        is_opex: Type.Boolean(),
        is_triple_witching: Type.Boolean(),
        ...netFields,
        pct_of_chain_gex: Percent('100 |net_gex| over the sum of them')
      })
    )
  }),
  answer: ({ chain }) => {
    scopeFor(chain, undefined)
    const expirations = exposureByExpiration(chain)
    const gross = sumOf(expirations, ({ gex }) => Math.abs(gex))
    return {
      ...header(chain),
      by_dte_bucket: expiryBuckets.flatMap(({ bucket, range: [from, to] }) => {
        const inside = expirations.filter(({ days }) => days >= from && days <= to)
        if (inside.length === 0) return []
        const total = totalOf(inside)
        return [{ bucket, dte_range: [from, to], ...wireNet(total), contract_count: total.contracts }]
      }),
      by_expiry: expirations.map((row) => ({
        expiration: row.date,
        dte: row.days,
        is_opex: isMonthlyOpex(row.date),
        is_triple_witching: isTripleWitching(row.date),
        ...wireNet(row),
        pct_of_chain_gex: gross === 0 ? 0 : (100 * Math.abs(row.gex)) / gross
      }))
    }
  }
})
