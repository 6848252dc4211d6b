import Type from 'typebox'
import { rowKey } from '../../../api/annotations.ts'
import { block } from '../../../api/block.ts'
import { Day, Days, Nullable, Percent, Ratio, Words } from '../../../api/quantity.ts'
import { difference } from '../../../math/optional.ts'
import type { PricedChain } from '../../../pricing/price-chain.ts'
import { premiumAssessment, premiumAssessments } from '../../../signals/risk-premium/premium-regime.ts'
import type { RealizedWindows } from '../../../volatility/realized/realized.ts'
import { skewProfiles } from '../../../volatility/smile/skew.ts'
import { ivDispersion } from '../../../volatility/term/iv-dispersion.ts'
import { termStates, volatilityTermStructure } from '../../../volatility/term/term-structure.ts'
import { listingBlock } from '../listing.ts'

const percent = () => Nullable(Percent())

export const realizedBlock = block(
  Type.Object(
    {
      rv_5d: Nullable(Percent('close to close over the last 5 returns')),
      rv_10d: percent(),
      rv_20d: percent(),
      rv_30d: percent(),
      rv_60d: percent()
    },
    { title: 'RealizedVolatilities' }
  ),
  ({ rv5, rv10, rv20, rv30, rv60 }: RealizedWindows) => ({
    rv_5d: rv5,
    rv_10d: rv10,
    rv_20d: rv20,
    rv_30d: rv30,
    rv_60d: rv60
  })
)

export const premiumBlock = block(
  Type.Object(
    {
      vrp_5d: Nullable(Percent('atm_iv minus rv_5d, vol points')),
      vrp_10d: percent(),
      vrp_20d: percent(),
      vrp_30d: percent(),
      vrp_60d: percent(),
      assessment: Nullable(Words(...premiumAssessments))
    },
    { title: 'RiskPremiums' }
  ),
  (atmIv: number | undefined, { rv5, rv10, rv20, rv30, rv60 }: RealizedWindows) => {
    const month = difference(atmIv, rv20)
    return {
      vrp_5d: difference(atmIv, rv5),
      vrp_10d: difference(atmIv, rv10),
      vrp_20d: month,
      vrp_30d: difference(atmIv, rv30),
      vrp_60d: difference(atmIv, rv60),
      assessment: month === undefined ? undefined : premiumAssessment(month)
    }
  }
)

export const skewProfilesBlock = block(
  Type.Array(
    Type.Object(
      {
        expiry: Day(),
        days_to_expiry: Days(),
        ...listingBlock.schema.properties,
        put_10d_iv: Percent(),
        put_25d_iv: Percent(),
        atm_iv: Percent(),
        call_25d_iv: Percent(),
        call_10d_iv: Percent(),
        skew_25d: Percent('put minus call, vol points'),
        smile_ratio: Ratio('put over call'),
        tail_convexity: Percent('how the downside steepens, vol points')
      },
      { title: 'SkewProfile' }
    ),
    rowKey('expiry')
  ),
  (chain: PricedChain) =>
    skewProfiles(chain).map(({ slice, skew }) => ({
      expiry: slice.date,
      days_to_expiry: slice.days,
      ...listingBlock.fill(slice),
      put_10d_iv: skew.put10,
      put_25d_iv: skew.put25,
      atm_iv: skew.atm,
      call_25d_iv: skew.call25,
      call_10d_iv: skew.call10,
      skew_25d: skew.skew25,
      smile_ratio: skew.smileRatio,
      tail_convexity: skew.tailConvexity
    }))
)

export const termStructureBlock = block(
  Type.Object(
    {
      near_slope_pct: Nullable(Percent('30 days over 7 days')),
      far_slope_pct: Nullable(Percent('90 days over 30 days')),
      state: Words(...termStates)
    },
    { title: 'VolatilityTermStructure' }
  ),
  (chain: PricedChain) => {
    const { nearSlope, farSlope, state } = volatilityTermStructure(chain)
    return { near_slope_pct: nearSlope, far_slope_pct: farSlope, state }
  }
)

export const ivDispersionBlock = block(
  Type.Object(
    {
      cross_expiry: Nullable(Percent('deviation of the fitted volatilities at the money, vol points')),
      cross_strike: Nullable(Percent('deviation over the smile of the nearest expiration, vol points'))
    },
    { title: 'VolatilityDispersion' }
  ),
  (chain: PricedChain) => {
    const { acrossExpirations, acrossStrikes } = ivDispersion(chain)
    return { cross_expiry: acrossExpirations, cross_strike: acrossStrikes }
  }
)
