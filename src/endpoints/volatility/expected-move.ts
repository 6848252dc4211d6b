import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { block } from '../../api/block.ts'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { apiError } from '../../api/error.ts'
import { date, refuseDifferent, symbolInPath } from '../../api/params.ts'
import { Day, Days, Nullable, Percent, Price, Volatility } from '../../api/quantity.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { type Slice, slices } from '../../volatility/smile/slice.ts'
import { moveToExpiry } from '../../volatility/term/expected-move.ts'
import { scopeFor } from '../exposure/scoped.ts'
import { listingBlock } from './listing.ts'

const listed = (description: string) => date({ description, code: 'invalid_expiry' })

/** Expected move of the underlying until one expiration: one standard deviation, up or down. */
const moveBlock = block(
  Type.Object(
    {
      expiry: Day(),
      daysToExpiry: Days(),
      ...listingBlock.schema.properties,
      atmIv: Nullable(Volatility('at the forward, a fraction')),
      expectedMove: Nullable(Price('spot × atmIv × √T')),
      expectedMovePct: Nullable(Percent()),
      lowerBound: Nullable(Price('spot × exp(-atmIv √T)')),
      upperBound: Nullable(Price('spot × exp(atmIv √T)'))
    },
    { title: 'ExpirationExpectedMove' }
  ),
  (slice: Slice, chain: PricedChain) => {
    const { sigma, move, percent, bounds } = moveToExpiry(chain, slice)
    return {
      expiry: slice.date,
      daysToExpiry: slice.days,
      ...listingBlock.fill(slice),
      atmIv: sigma,
      expectedMove: move,
      expectedMovePct: percent,
      lowerBound: bounds?.lower,
      upperBound: bounds?.upper
    }
  }
)

export const expectedMove = endpoint({
  id: 'expected_move.current',
  path: '/v1/expected-move/{symbol}',
  tag: 'volatility',
  summary: 'One standard deviation to each expiration',
  description:
    'How far price may go by each expiration: one standard deviation from the straddle and from the fitted smile, as a range around spot.',
  plan: 'basic',
  needs: ['chain'],
  params: {
    symbol: symbolInPath(),
    expiry: listed('a date, yyyy-MM-dd; default: all expirations'),
    expiration: listed('a date, yyyy-MM-dd: another name of expiry')
  },
  check: ({ expiry, expiration }) => {
    if (expiry !== undefined && expiration !== undefined) {
      refuseDifferent(['expiry', expiry], ['expiration', expiration], 'invalid_expiry')
    }
  },
  replay: true,
  stream: true,
  response: Type.Object({
    ...envelope,
    expected_moves: Type.Array(moveBlock.schema, rowKey('expiry'))
  }),
  answer: ({ chain }, { expiry, expiration }) => {
    const asked = expiry ?? expiration
    scopeFor(chain, asked)
    const rows = slices(chain).filter((slice) => asked === undefined || slice.date === asked)
    if (rows.length === 0) throw apiError('no_data', `no unexpired contract of ${chain.symbol} is listed for ${asked}`)
    return { ...header(chain), expected_moves: rows.map((slice) => moveBlock.fill(slice, chain)) }
  }
})
