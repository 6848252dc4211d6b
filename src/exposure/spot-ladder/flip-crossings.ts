import { hasExposure, type Scope } from '../scope.ts'
import { gammaCrossings, gammaFlip, nearestCrossing, netGammaAt } from './gamma-flip.ts'

export interface FlipCrossing {
  readonly spot: number
  /** Change of net gamma exposure if spot rises from the crossing by 1 %, in USD per 1 % move. */
  readonly slope: number
  readonly chosen: boolean
}

/**
 * Crossings are listed within this distance of spot, as a fraction of spot. If the flip is further away, they are
 * listed over the whole range in which a flip is searched.
 */
const NEAR = 0.3
const FAR = 0.5
/** Step, as a fraction of spot, over which net gamma is practically linear, so that its slope can be measured. */
const STEP = 1e-5

/**
 * All prices near spot at which net gamma changes sign, ascending. The one that is the gamma flip is marked as chosen.
 */
export function flipCrossings(scope: Scope): readonly FlipCrossing[] {
  const flip = gammaFlip(scope)
  const { spot } = scope.chain
  const reach = flip !== undefined && Math.abs(flip / spot - 1) > NEAR ? FAR : NEAR
  return gammaCrossings(scope, reach).map((x) => ({ spot: x, slope: slopeAt(scope, x), chosen: x === flip }))
}

function slopeAt(scope: Scope, x: number): number {
  return ((netGammaAt(scope, x * (1 + STEP)) - netGammaAt(scope, x * (1 - STEP))) / (2 * STEP)) * 0.01
}

/**
 * Why a scope has no gamma flip. `no_exposure`: no contract has exposure. `one_sided`: net gamma never changes sign.
 * `other_side`: it changes sign only on the side of spot on which the flip is not searched. `outside_strikes`:
 * it changes sign only beyond all listed strikes.
 */
export function whyNoFlip(scope: Scope): 'no_exposure' | 'one_sided' | 'other_side' | 'outside_strikes' {
  if (!hasExposure(scope)) return 'no_exposure'
  if (nearestCrossing(scope) !== undefined) return 'outside_strikes'
  return gammaCrossings(scope, FAR).length === 0 ? 'one_sided' : 'other_side'
}
