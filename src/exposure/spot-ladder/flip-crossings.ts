import { hasExposure, type Scope } from '../scope.ts'
import { gammaCrossings, gammaFlip, netGammaAt } from './gamma-flip.ts'

export interface FlipCrossing {
  readonly spot: number
  /** Change of net gamma exposure for +1 % of spot at the crossing, USD per 1 % move. */
  readonly slope: number
  readonly chosen: boolean
}

/** Search range as a fraction of spot. If the flip lies beyond, the flip's whole search range is used instead. */
const NEAR = 0.3
const FAR = 0.5
/** Step, as a fraction of spot, over which net gamma is practically linear. */
const STEP = 1e-5

/** All crossings near spot, ascending; the one that is the gamma flip is marked as chosen. */
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
 * Why a scope has no flip: nothing carries exposure, net gamma never changes sign, or it changes sign only on the side
 * of spot where the flip is not searched.
 */
export function whyNoFlip(scope: Scope): 'no_exposure' | 'one_sided' | 'other_side' {
  if (!hasExposure(scope)) return 'no_exposure'
  return gammaCrossings(scope, FAR).length === 0 ? 'one_sided' : 'other_side'
}
