import { difference } from '../../math/optional.ts'
import type { ImpliedSide, RealizedSide } from './implied-realized.ts'

/**
 * Differences between implied and realized volatility, in vol points unless noted. Undefined if one of the two is
 * missing.
 */
export interface NetPremiums {
  /**
   * At-the-money volatility minus realized volatility over the last 5 daily returns; the next three use 10, 20 and 30.
   */
  readonly over5: number | undefined
  readonly over10: number | undefined
  readonly over20: number | undefined
  readonly over30: number | undefined
  /** `over20` as a difference of annual variances instead of volatilities, in squared fractions. */
  readonly variance: number | undefined
  /** Fair volatility of a variance swap minus at-the-money volatility: what the wings of the smile add. */
  readonly convexity: number | undefined
  /**
   * Volatility of the 25-delta put minus the semi-deviation of falling days. `upside` is the same for the 25-delta call
   * and rising days.
   */
  readonly downside: number | undefined
  readonly upside: number | undefined
}

/**
 * Computes all premiums from implied and realized volatilities. Source: the published API contract, x-conventions.vrp.
 */
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

/** Annual variance, a squared fraction, that belongs to a volatility in percent. */
function varianceOf(percent: number | undefined): number | undefined {
  return percent === undefined ? undefined : (percent / 100) ** 2
}
