import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { apiError } from '../../api/error.ts'
import { date, symbolInPath } from '../../api/params.ts'
import { Day, Days, Nullable, Percent, Price, Volatility } from '../../api/quantity.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { type Slice, slices } from '../../volatility/slice.ts'
import { atmVolatility } from '../../volatility/smile.ts'
import { scopeFor } from '../exposure/scoped.ts'

const listed = (description: string) => date({ description, code: 'invalid_expiry' })

export const expectedMove = endpoint({
  id: 'volatility.expected_move',
  path: '/v1/expected-move/{symbol}',
  tag: 'volatility',
  summary: 'One standard deviation to each expiration',
  plan: 'basic',
  needs: ['chain'],
  params: {
    symbol: symbolInPath(),
    expiry: listed('a date, yyyy-MM-dd; without it all expirations are answered'),
    expiration: listed('a date, yyyy-MM-dd: another name of expiry')
  },
  replay: true,
  stream: true,
  response: Type.Object({
    ...envelope,
    expected_moves: Type.Array(
      Type.Object({
        expiry: Day(),
        daysToExpiry: Days(),
        atmIv: Nullable(Volatility('at the forward, a fraction')),
        expectedMove: Nullable(Price('spot × atmIv × √T')),
        expectedMovePct: Nullable(Percent()),
        lowerBound: Nullable(Price()),
        upperBound: Nullable(Price())
      })
    )
  }),
  answer: ({ chain }, { expiry, expiration }) => {
    const asked = expiry ?? expiration
    scopeFor(chain, asked)
    const rows = slices(chain).filter((slice) => asked === undefined || slice.date === asked)
    if (rows.length === 0) throw apiError('no_data', `no contract of ${chain.symbol} on ${asked} is still alive`)
    return { ...header(chain), expected_moves: rows.map((slice) => moveOf(chain, slice)) }
  }
})

function moveOf({ spot }: PricedChain, slice: Slice) {
  const sigma = atmVolatility(slice)
  const share = sigma && sigma * Math.sqrt(slice.t)
  return {
    expiry: slice.date,
    daysToExpiry: slice.days,
    atmIv: sigma,
    expectedMove: share && spot * share,
    expectedMovePct: share && 100 * share,
    lowerBound: share && spot * (1 - share),
    upperBound: share && spot * (1 + share)
  }
}
