import { dayShareLeft, isMarketOpen } from '../../market/clock.ts'
import type { Scope } from '../scope.ts'
import { gammaFlip } from '../spot-ladder/gamma-flip.ts'
import { atTheMoney } from './at-the-money.ts'

/** How far one standard deviation reaches, in USD of the underlying. */
export interface ExpectedMove {
  /** Over one full trading day: S σ √(1/252). */
  readonly fullDay: number
  /** Until the scope's expiration on the service's clock. */
  readonly remaining: number
}

/**
 * The implied move of a scope of one expiration. On its last day the remaining part shrinks with the square root of
 * `shareLeft`, the share of the session still to run; a later expiration uses its own years to expiry.
 */
export function expectedMove(scope: Scope, days: number, shareLeft: number): ExpectedMove | undefined {
  const sigma = atTheMoney(scope)?.sigma
  if (sigma === undefined) return undefined
  const fullDay = scope.chain.spot * sigma * Math.sqrt(1 / 252)
  const t = scope.chain.carries[scope.expirations[scope.expirations.length - 1]].t
  return {
    fullDay,
    remaining: days === 0 ? fullDay * Math.sqrt(shareLeft) : scope.chain.spot * sigma * Math.sqrt(t)
  }
}

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
