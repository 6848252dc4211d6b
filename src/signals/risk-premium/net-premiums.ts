import { difference } from '../../math/optional.ts'
import type { ImpliedSide, RealizedSide } from './implied-realized.ts'

/** Implied less realized volatility in vol points unless noted; undefined if either volatility is missing. */
export interface NetPremiums {
  /** At-the-money volatility less realized volatility over the last 5, 10, 20 and 30 daily returns. */
  readonly over5: number | undefined
  readonly over10: number | undefined
  readonly over20: number | undefined
  readonly over30: number | undefined
  /** The premium `over20` as a difference of annual variances, fractions squared. */
  readonly variance: number | undefined
  /** Fair volatility of a variance swap less at-the-money volatility: the contribution of the wings. */
  readonly convexity: number | undefined
  /** Volatility of the 25-delta put less the semi-deviation of falling days; `upside`: the call and rising days. */
  readonly downside: number | undefined
  readonly upside: number | undefined
}

/** Premiums from implied and realized volatilities. Source: the wire contract, x-conventions.vrp. */
export function netPremiums(
  { atmIv, fairVol, putWing25, callWing25 }: ImpliedSide,
  { rv5, rv10, rv20, rv30, downside20, upside20 }: RealizedSide
): NetPremiums {
  return {
    over5: difference(atmIv, rv5),
    over10: difference(atmIv, rv10),
    over20: difference(atmIv, rv20),
    over30: difference(atmIv, rv30),
    variance: difference(varianceOf(atmIv), varianceOf(rv20)),
    convexity: difference(fairVol, atmIv),
    downside: difference(putWing25, downside20),
    upside: difference(callWing25, upside20)
  }
}

/** Annual variance from a volatility in percent, a fraction squared. */
function varianceOf(percent: number | undefined): number | undefined {
  return percent === undefined ? undefined : (percent / 100) ** 2
}
