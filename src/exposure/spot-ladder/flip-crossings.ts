import { hasExposure, type Scope } from '../scope.ts'
import { gammaCrossings, gammaFlip, netGammaAt } from './gamma-flip.ts'

/** A spot at which net gamma changes its sign. */
export interface FlipCrossing {
  readonly spot: number
  /** Change of net gamma exposure there for +1 % of spot, USD per 1 % move. */
  readonly slope: number
  readonly chosen: boolean
}

/** How far crossings are looked for: as far as the fine steps of the flip, or all of them where it lies beyond. */
const NEAR = 0.3
const FAR = 0.5
/** A part of spot on which net gamma is as good as straight. */
const STEP = 1e-5

/** Every crossing near spot, ascending, the flip among them chosen. */
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
 * Why a scope has no flip: nothing carries exposure, net gamma never changes its sign, or only on the side that does not
 * agree with the sign it has now.
 */
export function whyNoFlip(scope: Scope): 'no_exposure' | 'one_sided' | 'other_side' {
  if (!hasExposure(scope)) return 'no_exposure'
  return gammaCrossings(scope, FAR).length === 0 ? 'one_sided' : 'other_side'
}
