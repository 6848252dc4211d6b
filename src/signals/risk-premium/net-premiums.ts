import { difference } from '../../math/optional.ts'
import type { ImpliedSide, RealizedSide } from './implied-realized.ts'

/** What options ask over what the underlying did, vol points where nothing else is said. Undefined: a side is missing. */
export interface NetPremiums {
  /** At-the-money volatility less realized volatility over so many returns. */
  readonly over5: number | undefined
  readonly over10: number | undefined
  readonly over20: number | undefined
  readonly over30: number | undefined
  /** The same over 20 returns as annual variances, fractions squared. */
  readonly variance: number | undefined
  /** Fair volatility of a variance swap less volatility at the money: what the wings add. */
  readonly convexity: number | undefined
  /** The 25-delta wings less the semi-deviations of falling and of rising days. */
  readonly downside: number | undefined
  readonly upside: number | undefined
}

/** Implied less realized, side by side. Source: the wire contract, x-conventions.vrp. */
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

/** The annual variance of a volatility in percent, a fraction squared. */
function varianceOf(percent: number | undefined): number | undefined {
  return percent === undefined ? undefined : (percent / 100) ** 2
}
