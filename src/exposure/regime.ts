import { netExposures } from './net.ts'
import { hasExposure, type Scope } from './scope.ts'
import { gammaFlip } from './spot-ladder/gamma-flip.ts'

export const regimes = ['positive_gamma', 'negative_gamma'] as const
export type Regime = (typeof regimes)[number]

/** The same where there may be none. */
export const statedRegimes = [...regimes, 'undetermined'] as const
export type StatedRegime = (typeof statedRegimes)[number]

/**
 * On which side of the gamma flip spot stands; at the flip counts as positive. Without a flip the sign of net gamma
 * decides, and without any exposure (or an exact zero) there is no regime.
 */
export function gammaRegime(scope: Scope): StatedRegime {
  if (!hasExposure(scope)) return 'undetermined'
  return regimeAt(scope.chain.spot, gammaFlip(scope), netExposures(scope).gex)
}

/** The same of figures that were kept: without any exposure there is no flip, and net gamma is 0. */
export function regimeAt(spot: number, flip: number | undefined, netGex: number): StatedRegime {
  if (flip !== undefined) return spot >= flip ? 'positive_gamma' : 'negative_gamma'
  if (netGex === 0) return 'undetermined'
  return netGex > 0 ? 'positive_gamma' : 'negative_gamma'
}

/**
 * The regime of a full chain from its sums alone: spot lies above the flip exactly where net gamma is positive, and at it
 * where that is 0.
 */
export function regimeOfSums(netGex: number, flip: number | undefined): StatedRegime {
  if (netGex > 0 || (netGex === 0 && flip !== undefined)) return 'positive_gamma'
  return netGex < 0 ? 'negative_gamma' : 'undetermined'
}

/** The regime of net gamma alone, for answers that know no third: 0 counts as positive. */
export function regimeOfNet(netGex: number): Regime {
  return netGex >= 0 ? 'positive_gamma' : 'negative_gamma'
}

/** A regime for answers that know no third: an undetermined one counts as positive. */
export function regimeOrPositive(regime: StatedRegime): Regime {
  return regime === 'undetermined' ? 'positive_gamma' : regime
}

export const gammaSigns = ['positive', 'negative', 'neutral'] as const
export type GammaSign = (typeof gammaSigns)[number]

/** The sign of net gamma. */
export function gammaSign(netGex: number): GammaSign {
  if (netGex === 0) return 'neutral'
  return netGex > 0 ? 'positive' : 'negative'
}
