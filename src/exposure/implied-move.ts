import { dayShareLeft, isMarketOpen } from '../market/clock.ts'
import { type ExpectedMove, expectedMove } from './at-the-money.ts'
import { gammaFlip } from './gamma-flip.ts'
import type { Scope } from './scope.ts'

/** The expected move of a scope of one expiration at its chain's moment. Undefined without a volatility at the money. */
export function impliedMove(scope: Scope): ExpectedMove | undefined {
  const { chain, expirations } = scope
  return expectedMove(scope, chain.carries[expirations[0]].days, dayShareLeft(chain.asOf))
}

/** How far spot stands from the gamma flip. */
export interface FlipDistance {
  /** At the flip counts as above. */
  readonly side: 'above' | 'below'
  /** 100 (spot - flip) / spot. */
  readonly percent: number
  /** USD of the underlying, unsigned. */
  readonly dollars: number
  /** In remaining implied moves, of a full day once the market is closed. Undefined without a move. */
  readonly sigmas: number | undefined
}

/** The distance of spot from the flip of a scope of one expiration. Undefined without a flip. */
export function flipDistance(scope: Scope): FlipDistance | undefined {
  const { spot, asOf } = scope.chain
  const flip = gammaFlip(scope)
  if (flip === undefined) return undefined
  const move = impliedMove(scope)
  const sigma = isMarketOpen(asOf) ? move?.remaining : move?.fullDay
  const dollars = Math.abs(spot - flip)
  return {
    side: spot >= flip ? 'above' : 'below',
    percent: (100 * (spot - flip)) / spot,
    dollars,
    sigmas: sigma ? dollars / sigma : undefined
  }
}
