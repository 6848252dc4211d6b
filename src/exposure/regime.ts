import { gammaFlip } from './gamma-flip.ts'
import { netExposures } from './net.ts'
import { hasExposure, type Scope } from './scope.ts'

export const regimes = ['positive_gamma', 'negative_gamma'] as const
export type Regime = (typeof regimes)[number]

/**
 * On which side of the gamma flip spot stands; at the flip counts as positive. Without a flip the sign of net gamma
 * decides, and without any exposure (or an exact zero) there is no regime.
 */
export function gammaRegime(scope: Scope): Regime | 'undetermined' {
  if (!hasExposure(scope)) return 'undetermined'
  const flip = gammaFlip(scope)
  if (flip !== undefined) return scope.chain.spot >= flip ? 'positive_gamma' : 'negative_gamma'
  const { gex } = netExposures(scope)
  if (gex === 0) return 'undetermined'
  return gex > 0 ? 'positive_gamma' : 'negative_gamma'
}
