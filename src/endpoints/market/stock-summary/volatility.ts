import Type from 'typebox'
import { Day, Days, Nullable, Percent, Ratio } from '../../../api/quantity.ts'
import type { PricedChain } from '../../../pricing/price-chain.ts'
import { closeToClose, type UsableBars } from '../../../volatility/realized.ts'
import { referenceSmile, referenceVolatility } from '../../../volatility/reference-slice.ts'
import { quarterSkewOf } from '../../../volatility/skew.ts'
import { acceptedSlices } from '../../../volatility/slice.ts'
import { atmVolatility } from '../../../volatility/smile.ts'
import { percentOf } from '../../volatility/bars.ts'

export const volatility = Type.Object({
  atm_iv: Nullable(Percent('at the forward of the reference expiration')),
  hv_20: Nullable(Percent('close to close over the last 20 returns')),
  hv_60: Nullable(Percent('close to close over the last 60 returns')),
  vrp: Nullable(Percent('atm_iv minus hv_20, vol points')),
  skew_25d: Nullable(
    Type.Object({
      expiry: Day('the expiration of atm_iv'),
      days_to_expiry: Days(),
      put_25d_iv: Percent(),
      atm_iv: Percent(),
      call_25d_iv: Percent(),
      skew_25d: Percent('put minus call, vol points'),
      smile_ratio: Nullable(Ratio('put over call'))
    })
  ),
  iv_term_structure: Type.Array(
    Type.Object({
      expiry: Day(),
      iv: Percent('at the forward of a fitted slice', { minimum: 5, maximum: 200 }),
      days_to_expiry: Days()
    })
  )
})

/** The figures are those of the volatility dashboard over the same chain and bars. */
export function wireVolatility(chain: PricedChain, bars: UsableBars) {
  const atm = percentOf(referenceVolatility(chain))
  const [month, quarter] = [20, 60].map((days) => percentOf(closeToClose(bars, days)))
  return {
    atm_iv: atm,
    hv_20: month,
    hv_60: quarter,
    vrp: atm === undefined || month === undefined ? undefined : atm - month,
    skew_25d: wireSkew(chain),
    // Acceptance of a slice holds it between 5 and 200 % already.
    iv_term_structure: acceptedSlices(chain).map((slice) => ({
      expiry: slice.date,
      iv: 100 * atmVolatility(slice)!,
      days_to_expiry: slice.days
    }))
  }
}

function wireSkew(chain: PricedChain) {
  const slice = referenceSmile(chain)
  const skew = slice && quarterSkewOf(slice)
  return (
    skew && {
      expiry: slice.date,
      days_to_expiry: slice.days,
      put_25d_iv: skew.put25,
      atm_iv: skew.atm,
      call_25d_iv: skew.call25,
      skew_25d: skew.skew25,
      smile_ratio: skew.smileRatio
    }
  )
}
