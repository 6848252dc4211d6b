import type { Weighted } from '../math/weights.ts'
import { sumOf } from './by-strike.ts'
import { grossShares, type NetExposures } from './net.ts'

/** One symbol of a basket; the weights add up to 1. */
export interface BasketMember extends Weighted {
  readonly net: NetExposures
}

export interface BasketExposure {
  /** Sum of the members' exposures by weight, USD. */
  readonly net: NetExposures
  /** Share of each member in percent: its |weighted gamma| over the sum of all of them, in the order of the members. */
  readonly contributions: readonly number[]
}

export function basketExposure(members: readonly BasketMember[]): BasketExposure {
  const weighted = (figure: keyof NetExposures) => sumOf(members, ({ net, weight }) => weight * net[figure])
  return {
    net: { gex: weighted('gex'), dex: weighted('dex'), vex: weighted('vex'), chex: weighted('chex') },
    contributions: grossShares(members.map(({ net, weight }) => weight * net.gex))
  }
}
