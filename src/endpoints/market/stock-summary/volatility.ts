import Type from 'typebox'
import { rowKey } from '../../../api/annotations.ts'
import { block } from '../../../api/block.ts'
import { Day, Days, Nullable, Percent, Ratio } from '../../../api/quantity.ts'
import { difference, inPercent } from '../../../math/optional.ts'
import type { PricedChain } from '../../../pricing/price-chain.ts'
import type { RealizedWindows } from '../../../volatility/realized/realized.ts'
import { type QuarterSkew, quarterSkewOf } from '../../../volatility/smile/skew.ts'
import { acceptedSlices, type Slice } from '../../../volatility/smile/slice.ts'
import { atmVolatility } from '../../../volatility/smile/smile-volatility.ts'
import { REFERENCE_DAYS, referenceSmile, referenceVolatility } from '../../../volatility/term/reference-slice.ts'
import { tenorVolatility } from '../../../volatility/term/tenor.ts'
import { listingBlock } from '../../volatility/listing.ts'

const skewBlock = block(
  Type.Object(
    {
      expiry: Day('the expiration of atm_iv'),
      days_to_expiry: Days(),
      put_25d_iv: Percent(),
      atm_iv: Percent(),
      call_25d_iv: Percent(),
      skew_25d: Percent('put minus call, vol points'),
      smile_ratio: Nullable(Ratio('put over call'))
    },
    { title: 'SummarySkew' }
  ),
  (slice: Slice, skew: QuarterSkew) => ({
    expiry: slice.date,
    days_to_expiry: slice.days,
    put_25d_iv: skew.put25,
    atm_iv: skew.atm,
    call_25d_iv: skew.call25,
    skew_25d: skew.skew25,
    smile_ratio: skew.smileRatio
  })
)

/**
 * Volatility part of the summary. Its figures equal the figures of the volatility dashboard for the same chain and
 * bars.
 */
export const volatilityBlock = block(
  Type.Object(
    {
      atm_iv: Nullable(Percent('at the forward of the reference expiration')),
      atm_iv_30d: Nullable(Percent('at the forward, constant maturity of 30 days')),
      hv_20: Nullable(Percent('close to close over the last 20 returns')),
      hv_60: Nullable(Percent('close to close over the last 60 returns')),
      vrp: Nullable(Percent('atm_iv minus hv_20, vol points')),
      skew_25d: Nullable(skewBlock.schema),
      iv_term_structure: Type.Array(
        Type.Object(
          {
            expiry: Day(),
            iv: Percent('at the forward of a fitted slice', { minimum: 5, maximum: 200 }),
            days_to_expiry: Days(),
            ...listingBlock.schema.properties
          },
          { title: 'ExpirationVolatility' }
        ),
        rowKey('expiry')
      )
    },
    { title: 'SummaryVolatility' }
  ),
  (chain: PricedChain, { rv20, rv60 }: RealizedWindows) => {
    const atm = inPercent(referenceVolatility(chain))
    const slice = referenceSmile(chain)
    const skew = slice && quarterSkewOf(slice)
    return {
      atm_iv: atm,
      atm_iv_30d: inPercent(tenorVolatility(chain, REFERENCE_DAYS)),
      hv_20: rv20,
      hv_60: rv60,
      vrp: difference(atm, rv20),
      skew_25d: skew && skewBlock.fill(slice, skew),
      // accepted fits have at-the-money volatilities between 5 and 200 %
      iv_term_structure: acceptedSlices(chain).map((slice) => ({
        expiry: slice.date,
        iv: 100 * atmVolatility(slice)!,
        days_to_expiry: slice.days,
        ...listingBlock.fill(slice)
      }))
    }
  }
)
