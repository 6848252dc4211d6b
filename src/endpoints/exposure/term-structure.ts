import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { symbolInPath } from '../../api/params.ts'
import { Contracts, Day, Days, Percent, Words } from '../../api/quantity.ts'
import { exposureByBucket, exposureByExpiration } from '../../exposure/breakdown/exposure-term-structure.ts'
import { grossShares } from '../../exposure/net.ts'
import { isMonthlyOpex, isTripleWitching } from '../../market/calendar.ts'
import { netBlock } from './net-block.ts'
import { scopeFor } from './scoped.ts'

export const termStructure = endpoint({
  id: 'exposure.term_structure',
  path: '/v1/exposure/term-structure/{symbol}',
  tag: 'exposure',
  summary: 'Exposure by time to expiry',
  description:
    'Which maturities hold the exposure: by expiration, with monthly and quarterly ones marked, and by bands of days. Tells what goes away at the next expiration.',
  plan: 'growth',
  needs: ['chain'],
  params: { symbol: symbolInPath() },
  replay: true,
  stream: true,
  response: Type.Object({
    ...envelope,
    by_dte_bucket: Type.Array(
      Type.Object(
        {
          bucket: Words('0-7d', '8-30d', '31-60d', '61-180d', '180d+'),
          dte_range: Type.Array(Days(), { minItems: 2, maxItems: 2, description: 'days, both ends included' }),
          ...netBlock.schema.properties,
          contract_count: Contracts('contracts with open interest')
        },
        { title: 'TenorExposures' }
      ),
      rowKey('bucket')
    ),
    by_expiry: Type.Array(
      Type.Object(
        {
          expiration: Day(),
          dte: Days(),
          is_opex: Type.Boolean(),
          is_triple_witching: Type.Boolean(),
          ...netBlock.schema.properties,
          pct_of_chain_gex: Percent('100 |net_gex| over the sum of them')
        },
        { title: 'ExpirationExposures' }
      ),
      rowKey('expiration')
    )
  }),
  answer: ({ chain }) => {
    scopeFor(chain, undefined)
    const expirations = exposureByExpiration(chain)
    const shares = grossShares(expirations.map(({ gex }) => gex))
    return {
      ...header(chain),
      by_dte_bucket: exposureByBucket(expirations).map(({ bucket, range, total }) => ({
        bucket,
        dte_range: range,
        ...netBlock.fill(total),
        contract_count: total.contracts
      })),
      by_expiry: expirations.map((row, k) => ({
        expiration: row.date,
        dte: row.days,
        is_opex: isMonthlyOpex(row.date),
        is_triple_witching: isTripleWitching(row.date),
        ...netBlock.fill(row),
        pct_of_chain_gex: shares[k]
      }))
    }
  }
})
