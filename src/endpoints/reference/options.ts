import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { symbolInPath } from '../../api/params.ts'
import { Count, Day, Name, Price } from '../../api/quantity.ts'
import { expirationDate, liveScope } from '../../exposure/scope.ts'
import type { IsoDate } from '../../market/units.ts'

export const options = endpoint({
  id: 'options.current',
  path: '/v1/options/{ticker}',
  tag: 'reference',
  summary: 'Expirations and strikes of a chain',
  description: 'Which expirations and strikes are listed, for pickers.',
  plan: 'free',
  needs: ['chain'],
  absent: ['no_options_data', 'no_options_data'],
  params: { ticker: symbolInPath('no_options_data') },
  symbols: ({ ticker }) => [ticker],
  replay: true,
  stream: false,
  response: Type.Object({
    symbol: Name(),
    expirations: Type.Array(
      Type.Object({ expiration: Day(), strikes: Type.Array(Price(), { minItems: 1 }) }, { title: 'ExpirationStrikes' }),
      { ...rowKey('expiration'), minItems: 1 }
    ),
    expiration_count: Count(),
    total_contracts: Count('strikes over all expirations: a call and a put at one strike count once')
  }),
  answer: ({ chain }) => {
    const strikes = new Map<IsoDate, Set<number>>()
    for (const i of liveScope(chain).slots) {
      const date = expirationDate(chain, i)
      const listed = strikes.get(date)
      if (listed === undefined) strikes.set(date, new Set([chain.strike[i]]))
      else listed.add(chain.strike[i])
    }
    if (strikes.size === 0) throw apiError('no_options_data', `${chain.symbol} has no live option contracts`)
    const expirations = [...strikes].map(([expiration, listed]) => ({
      expiration,
      strikes: [...listed].sort((a, b) => a - b)
    }))
    return {
      symbol: chain.symbol,
      expirations,
      expiration_count: expirations.length,
      total_contracts: expirations.reduce((sum, listed) => sum + listed.strikes.length, 0)
    }
  }
})
