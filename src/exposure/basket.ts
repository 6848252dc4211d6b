import type { Weighted } from '../math/weights.ts'
import { sumOf } from './by-strike.ts'
import { grossShares, type NetExposures } from './net.ts'

/** One symbol in a weighted basket. The weights of all members add up to 1. */
export interface BasketMember extends Weighted {
  readonly net: NetExposures
}

export interface BasketExposure {
  /** Weighted sum of the members' exposures, USD. */
  readonly net: NetExposures
  /**
   * Each member's share of the basket's gamma in percent, in the order of the members: its |weighted gamma| divided by
   * the sum over all members.
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
