import { isLive } from '../../market/clock.ts'
import { memoize } from '../../market/memoize.ts'
import type { IsoDate } from '../../market/units.ts'
import { inPercent } from '../../math/optional.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { closeToClose, realizedWindows, type UsableBars } from '../../volatility/realized/realized.ts'
import { semiDeviation } from '../../volatility/realized/semi-deviation.ts'
import { quarterSkewOf } from '../../volatility/smile/skew.ts'
import { atmVolatility } from '../../volatility/smile/smile-volatility.ts'
import { butterflyFlags } from '../../volatility/surface/arbitrage.ts'
import { REFERENCE_DAYS, referenceSlice, referenceSmile } from '../../volatility/term/reference-slice.ts'
import { tenorVolatility } from '../../volatility/term/tenor.ts'
import { fairVariance } from '../../volatility/variance/variance-swap.ts'

/** Implied volatilities of a chain in percent. Undefined if the chain does not have them. */
export interface ImpliedSide {
  readonly atmIv: number | undefined
  /** Volatility at the forward, interpolated to exactly 30 days. */
  readonly atmIv30: number | undefined
  /**
   * Fair volatility of a variance swap on the reference smile (see `referenceSlice`). Without that smile, the mean
   * volatility of contracts near the money, weighted by open interest.
   */
  readonly fairVol: number | undefined
  readonly putWing25: number | undefined
  readonly callWing25: number | undefined
  /** 25-delta skew relative to the money: (put volatility - call volatility) / at-the-money volatility. */
  readonly relativeSkew: number | undefined
  readonly expiry: IsoDate | undefined
  /** Whether the chain has a reference smile, and (`butterfly`) whether that smile allows butterfly arbitrage. */
  readonly fitted: boolean
  readonly butterfly: boolean
}

/**
 * Implied volatilities of a chain at its reference expiration. The level comes from `referenceSmile`, the shape from
 * `referenceSlice`. These are different expirations if the first has too few quotes for a fit. The shape is then
 * rescaled to the level. Source: the published API contract, x-conventions.vrp.
 */
export const impliedSide = memoize((chain: PricedChain): ImpliedSide => {
  const smile = referenceSmile(chain)
  const fitted = referenceSlice(chain)
  const atm = smile && atmVolatility(smile)
  const skew = fitted && quarterSkewOf(fitted)
  const level = fitted === undefined ? 1 : atm! / atmVolatility(fitted)!
  const fair = fitted === undefined ? meanVolatility(chain) : level * Math.sqrt(fairVariance(fitted.svi) / fitted.t)
  return {
    atmIv: inPercent(atm),
    atmIv30: inPercent(tenorVolatility(chain, REFERENCE_DAYS)),
    fairVol: inPercent(fair),
    putWing25: skew && level * skew.put25,
    callWing25: skew && level * skew.call25,
    relativeSkew: skew && skew.skew25 / skew.atm,
    expiry: smile?.date,
    fitted: fitted !== undefined,
    butterfly: fitted !== undefined && butterflyFlags(fitted).length > 0
  }
})

/** Strikes up to this distance from spot, as a fraction of spot, count for the mean volatility. */
const REACH = 0.2

/** Mean volatility of the unexpired contracts near the money, weighted by open interest, an annual fraction. */
function meanVolatility({ asOf, expirations, strike, spot, sigma, openInterest }: PricedChain): number | undefined {
  let [sum, weight] = [0, 0]
  for (const { date, settlement, start, end } of expirations) {
    if (!isLive(asOf, date, settlement)) continue
    for (let i = start; i < end; i++) {
      const moneyness = strike[i] / spot
      const isNear = moneyness >= 1 - REACH && moneyness <= 1 + REACH
      if (!isNear || openInterest[i] <= 0 || Number.isNaN(sigma[i])) continue
      sum += sigma[i] * openInterest[i]
      weight += openInterest[i]
    }
  }
  return weight === 0 ? undefined : sum / weight
}

/** Realized volatilities in percent. Undefined with too few bars. */
export interface RealizedSide {
  readonly rv5: number | undefined
  readonly rv10: number | undefined
  readonly rv20: number | undefined
  readonly rv30: number | undefined
  readonly downside20: number | undefined
  readonly upside20: number | undefined
}

/** Close-to-close volatility over the last 5, 10, 20 and 30 returns, and the semi-deviations of the last 20. */
export function realizedSide(bars: UsableBars): RealizedSide {
  const { rv5, rv10, rv20, rv30 } = realizedWindows(bars)
  const halves = semiDeviation(bars, 20)
  return {
    rv5,
    rv10,
    rv20,
    rv30,
    downside20: inPercent(halves?.downside),
    upside20: inPercent(halves?.upside)
  }
}

/** Implied and realized volatility over one horizon, in percent. `premium` is their difference in vol points. */
export interface TermPremium {
  readonly days: number
  readonly iv: number
  readonly rv: number
  readonly premium: number
}

const tenors = [7, 14, 30, 60]

/**
 * Premium for several numbers of days: implied volatility over so many calendar days ahead minus realized volatility
 * over so many past daily returns. A number is left out if one of the two is unknown.
 */
export function termPremiums(chain: PricedChain, bars: UsableBars): readonly TermPremium[] {
  return tenors.flatMap((days) => {
    const iv = inPercent(tenorVolatility(chain, days))
    const rv = inPercent(closeToClose(bars, days))
    return iv === undefined || rv === undefined ? [] : [{ days, iv, rv, premium: iv - rv }]
  })
}
