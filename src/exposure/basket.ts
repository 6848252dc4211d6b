import type { Weighted } from '../math/weights.ts'
import { sumOf } from './by-strike.ts'
import { grossShares, type NetExposures } from './net.ts'

/** One symbol of a basket; the weights add up to 1. */
export interface BasketMember extends Weighted {
  readonly net: NetExposures
}

/** What a basket exposes. */
export interface BasketExposure {
  /** The members' exposures by weight, USD. */
  readonly net: NetExposures
  /** Each member's weighted gamma by size, percent of the sum of all sizes; in their order. */
  readonly contributions: readonly number[]
}

/** The exposure of several symbols by weight. */
export function basketExposure(members: readonly BasketMember[]): BasketExposure {
  const weighted = (figure: keyof NetExposures) => sumOf(members, ({ net, weight }) => weight * net[figure])
  return {
    net: { gex: weighted('gex'), dex: weighted('dex'), vex: weighted('vex'), chex: weighted('chex') },
    contributions: grossShares(members.map(({ net, weight }) => weight * net.gex))
  }
}
