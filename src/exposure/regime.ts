import { netExposures } from './net.ts'
import { hasExposure, type Scope } from './scope.ts'
import { gammaFlip } from './spot-ladder/gamma-flip.ts'

export const regimes = ['positive_gamma', 'negative_gamma'] as const
export type Regime = (typeof regimes)[number]

export const statedRegimes = [...regimes, 'undetermined'] as const
export type StatedRegime = (typeof statedRegimes)[number]

/**
 * Gamma regime by the side of the gamma flip on which spot is. Spot exactly at the flip counts as positive. Without a
 * flip, the sign of net gamma decides. Undetermined if no contract has exposure or net gamma is exactly 0.
 */
export function gammaRegime(scope: Scope): StatedRegime {
  if (!hasExposure(scope)) return 'undetermined'
  return regimeAt(scope.chain.spot, gammaFlip(scope), netExposures(scope).gex)
}

/**
 * Regime as in `gammaRegime`, but computed from stored figures. A scope without exposure has no flip and a net gamma of
 * 0.
 */
export function regimeAt(spot: number, flip: number | undefined, netGex: number): StatedRegime {
  if (flip !== undefined) return spot >= flip ? 'positive_gamma' : 'negative_gamma'
  if (netGex === 0) return 'undetermined'
  return netGex > 0 ? 'positive_gamma' : 'negative_gamma'
}

/**
 * Regime of a full chain from its stored net gamma and flip. Spot is above the flip if net gamma is positive, and at
 * the flip if net gamma is 0.
 */
export function regimeOfSums(netGex: number, flip: number | undefined): StatedRegime {
  if (netGex > 0 || (netGex === 0 && flip !== undefined)) return 'positive_gamma'
  return netGex < 0 ? 'negative_gamma' : 'undetermined'
}

/** Regime by the sign of net gamma, for responses that have no undetermined state. 0 counts as positive. */
export function regimeOfNet(netGex: number): Regime {
  return netGex >= 0 ? 'positive_gamma' : 'negative_gamma'
}

/** Replaces the undetermined state by positive, for responses that do not have it. */
export function regimeOrPositive(regime: StatedRegime): Regime {
  return regime === 'undetermined' ? 'positive_gamma' : regime
}

export const gammaSigns = ['positive', 'negative', 'neutral'] as const
export type GammaSign = (typeof gammaSigns)[number]

export function gammaSign(netGex: number): GammaSign {
  if (netGex === 0) return 'neutral'
  return netGex > 0 ? 'positive' : 'negative'
}
