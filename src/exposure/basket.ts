import type { Weighted } from '../math/weights.ts'
import { sumOf } from './by-strike.ts'
import { grossShares, type NetExposures } from './net.ts'

/** One symbol of a weighted basket; the weights add up to 1. */
export interface BasketMember extends Weighted {
  readonly net: NetExposures
}

export interface BasketExposure {
  /** Weighted sum of the members' exposures, USD. */
  readonly net: NetExposures
  /**
   * Share of each member in percent: its |weighted gamma| divided by the sum of |weighted gamma| of all members, in the
   * order of the members.
   */
  readonly contributions: readonly number[]
}

export function basketExposure(members: readonly BasketMember[]): BasketExposure {
  const weighted = (figure: keyof NetExposures) => sumOf(members, ({ net, weight }) => weight * net[figure])
  return {
    net: { gex: weighted('gex'), dex: weighted('dex'), vex: weighted('vex'), chex: weighted('chex') },
    contributions: grossShares(members.map(({ net, weight }) => weight * net.gex))
  }
}
