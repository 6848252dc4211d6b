import { netExposures } from './net.ts'
import { hasExposure, type Scope } from './scope.ts'
import { gammaFlip } from './spot-ladder/gamma-flip.ts'

export const regimes = ['positive_gamma', 'negative_gamma'] as const
export type Regime = (typeof regimes)[number]

export const statedRegimes = [...regimes, 'undetermined'] as const
export type StatedRegime = (typeof statedRegimes)[number]

/**
 * Side of the gamma flip that spot is on; spot at the flip counts as positive. Without a flip the sign of net gamma
 * decides. Without any exposure, or with a net of exactly 0, the regime is undetermined.
 */
export function gammaRegime(scope: Scope): StatedRegime {
  if (!hasExposure(scope)) return 'undetermined'
  return regimeAt(scope.chain.spot, gammaFlip(scope), netExposures(scope).gex)
}

/** `gammaRegime` computed from stored figures: a scope without exposure has no flip and a net gamma of 0. */
export function regimeAt(spot: number, flip: number | undefined, netGex: number): StatedRegime {
  if (flip !== undefined) return spot >= flip ? 'positive_gamma' : 'negative_gamma'
  if (netGex === 0) return 'undetermined'
  return netGex > 0 ? 'positive_gamma' : 'negative_gamma'
}

/**
 * Regime of a full chain from two stored figures: spot is above the flip exactly if net gamma is positive, and at it if
 * net gamma is 0.
 */
export function regimeOfSums(netGex: number, flip: number | undefined): StatedRegime {
  if (netGex > 0 || (netGex === 0 && flip !== undefined)) return 'positive_gamma'
  return netGex < 0 ? 'negative_gamma' : 'undetermined'
}

/** Regime by the sign of net gamma, for responses without an undetermined state: 0 counts as positive. */
export function regimeOfNet(netGex: number): Regime {
  return netGex >= 0 ? 'positive_gamma' : 'negative_gamma'
}

/** Regime for responses without an undetermined state: undetermined counts as positive. */
export function regimeOrPositive(regime: StatedRegime): Regime {
  return regime === 'undetermined' ? 'positive_gamma' : regime
}

export const gammaSigns = ['positive', 'negative', 'neutral'] as const
export type GammaSign = (typeof gammaSigns)[number]

export function gammaSign(netGex: number): GammaSign {
  if (netGex === 0) return 'neutral'
  return netGex > 0 ? 'positive' : 'negative'
}
