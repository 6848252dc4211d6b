import Type from 'typebox'
import { Day, Days, Nullable, Percent, Ratio, Words } from '../../../api/quantity.ts'
import { sampleStandardDeviation } from '../../../math/statistics.ts'
import type { PricedChain } from '../../../pricing/price-chain.ts'
import { closeToClose, type UsableBars } from '../../../volatility/realized.ts'
import { skewProfiles } from '../../../volatility/skew.ts'
import { acceptedSlices, slices } from '../../../volatility/slice.ts'
import { atmVolatility } from '../../../volatility/smile.ts'
import { tenorVolatility } from '../../../volatility/tenor.ts'
import { assessments, premiumAssessment, termState, termStates } from '../../../wording/volatility.ts'
import { percentOf } from '../bars.ts'

const percent = () => Nullable(Percent())

export const realizedVol = Type.Object({
  rv_5d: Nullable(Percent('close to close over the last 5 returns')),
  rv_10d: percent(),
  rv_20d: percent(),
  rv_30d: percent(),
  rv_60d: percent()
})

export function wireRealized(bars: UsableBars) {
  const over = (n: number) => percentOf(closeToClose(bars, n))
  return { rv_5d: over(5), rv_10d: over(10), rv_20d: over(20), rv_30d: over(30), rv_60d: over(60) }
}

export const spreads = Type.Object({
  vrp_5d: Nullable(Percent('atm_iv minus rv_5d, vol points')),
  vrp_10d: percent(),
  vrp_20d: percent(),
  vrp_30d: percent(),
  vrp_60d: percent(),
  assessment: Nullable(Words(...assessments))
})

export function wireSpreads(atmIv: number | undefined, realized: ReturnType<typeof wireRealized>) {
  const over = (rv: number | undefined) => (atmIv === undefined || rv === undefined ? undefined : atmIv - rv)
  const month = over(realized.rv_20d)
  return {
    vrp_5d: over(realized.rv_5d),
    vrp_10d: over(realized.rv_10d),
    vrp_20d: month,
    vrp_30d: over(realized.rv_30d),
    vrp_60d: over(realized.rv_60d),
    assessment: month === undefined ? undefined : premiumAssessment(month)
  }
}

export const skewRows = Type.Array(
  Type.Object({
    expiry: Day(),
    days_to_expiry: Days(),
    put_10d_iv: Percent(),
    put_25d_iv: Percent(),
    atm_iv: Percent(),
    call_25d_iv: Percent(),
    call_10d_iv: Percent(),
    skew_25d: Percent('put minus call, vol points'),
    smile_ratio: Ratio('put over call'),
    tail_convexity: Percent('how the downside steepens, vol points')
  })
)

export function wireSkew(chain: PricedChain) {
  return skewProfiles(chain).map(({ slice, skew }) => ({
    expiry: slice.date,
    days_to_expiry: slice.days,
    put_10d_iv: skew.put10,
    put_25d_iv: skew.put25,
    atm_iv: skew.atm,
    call_25d_iv: skew.call25,
    call_10d_iv: skew.call10,
    skew_25d: skew.skew25,
    smile_ratio: skew.smileRatio,
    tail_convexity: skew.tailConvexity
  }))
}

export const termStructure = Type.Object({
  near_slope_pct: Nullable(Percent('30 days over 7 days')),
  far_slope_pct: Nullable(Percent('90 days over 30 days')),
  state: Words(...termStates)
})

export function wireTerm(chain: PricedChain) {
  const [week, month, quarter] = [7, 30, 90].map((days) => tenorVolatility(chain, days))
  const [near, far] = [slope(week, month), slope(month, quarter)]
  return { near_slope_pct: near, far_slope_pct: far, state: termState(near, far) }
}

/** How much more the later volatility is, percent of the earlier. */
function slope(early: number | undefined, late: number | undefined): number | undefined {
  return early === undefined || late === undefined ? undefined : (100 * (late - early)) / early
}

export const ivDispersion = Type.Object({
  cross_expiry: Nullable(Percent('deviation of the fitted volatilities at the money, vol points')),
  cross_strike: Nullable(Percent('deviation over the smile of the nearest expiration, vol points'))
})

export function wireDispersion(chain: PricedChain) {
  const nearest = slices(chain)[0]?.points.iv ?? []
  return {
    cross_expiry: deviation(acceptedSlices(chain).map((slice) => atmVolatility(slice)!)),
    cross_strike: deviation(nearest)
  }
}

function deviation(fractions: ArrayLike<number>): number | undefined {
  return fractions.length < 2 ? undefined : percentOf(sampleStandardDeviation(fractions))
}
