import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { apiError } from '../../api/error.ts'
import { symbolInPath } from '../../api/params.ts'
import { Day, Days, Percent } from '../../api/quantity.ts'
import { skewProfiles } from '../../volatility/smile/skew.ts'
import { scopeFor } from '../exposure/scoped.ts'
import { listingBlock } from './listing.ts'

export const skewTerm = endpoint({
  id: 'volatility.skew_term',
  path: '/v1/volatility/skew-term/{symbol}',
  tag: 'volatility',
  summary: 'Skew by expiration: risk reversal, butterfly and tail convexity',
  description:
    'How skew changes with maturity: risk reversal, butterfly and the tails at 10 and 25 delta, in vol points.',
  plan: 'growth',
  needs: ['chain'],
  params: { symbol: symbolInPath() },
  replay: true,
  stream: true,
  response: Type.Object({
    ...envelope,
    expiries: Type.Array(
      Type.Object(
        {
          expiry: Day(),
          dte: Days(),
          ...listingBlock.schema.properties,
          atm_iv: Percent(),
          put_25d_iv: Percent(),
          call_25d_iv: Percent(),
          put_10d_iv: Percent(),
          call_10d_iv: Percent(),
          skew_25d: Percent('put minus call, vol points'),
          risk_reversal_25d: Percent('call minus put, vol points'),
          butterfly_25d: Percent('mean of call and put minus the center, vol points'),
          tail_convexity: Percent('how the downside steepens, vol points')
        },
        { title: 'ExpirationSkew' }
      ),
      rowKey('expiry')
    )
  }),
  answer: ({ chain }) => {
    scopeFor(chain, undefined)
    const rows = skewProfiles(chain)
    if (rows.length === 0)
      throw apiError(
        'no_data',
        `no quotes of ${chain.symbol} reach both 25-delta strikes, and no smile both 10-delta strikes`
      )
    return {
      ...header(chain),
      expiries: rows.map(({ slice, skew }) => ({
        expiry: slice.date,
        dte: slice.days,
        ...listingBlock.fill(slice),
        atm_iv: skew.atm,
        put_25d_iv: skew.put25,
        call_25d_iv: skew.call25,
        put_10d_iv: skew.put10,
        call_10d_iv: skew.call10,
        skew_25d: skew.skew25,
        risk_reversal_25d: skew.riskReversal25,
        butterfly_25d: skew.butterfly25,
        tail_convexity: skew.tailConvexity
      }))
    }
  }
})
