import { dayShareLeft, isMarketOpen } from '../../market/clock.ts'
import type { Scope } from '../scope.ts'
import { gammaFlip } from '../spot-ladder/gamma-flip.ts'
import { atTheMoney } from './at-the-money.ts'

/** One standard deviation of the underlying's price, USD. */
export interface ExpectedMove {
  /** Move over one full trading day: S σ √(1/252). */
  readonly fullDay: number
  /**
   * Move from now until the scope's expiration. On the last day it shrinks with the part of the session that is left.
   */
  readonly remaining: number
}

/**
 * Expected move of a scope of one expiration. On its last day the remaining part is the full-day move times
 * √`shareLeft`, the share of the session still to run; a later expiration uses its own years to expiry. Undefined
 * without an at-the-money volatility.
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

/** Expected move of a scope of one expiration at its chain's time. Undefined without an at-the-money volatility. */
export function impliedMove(scope: Scope): ExpectedMove | undefined {
  const { chain, expirations } = scope
  return expectedMove(scope, chain.carries[expirations[0]].days, dayShareLeft(chain.asOf))
}

export interface FlipDistance {
  /** Side of the gamma flip that spot is on; spot exactly at the flip counts as above. */
  readonly side: 'above' | 'below'
  /** 100 (spot - flip) / spot. */
  readonly percent: number
  /** Absolute distance in USD of the underlying. */
  readonly dollars: number
  /**
   * Distance in standard deviations of the move expected for the rest of the day, or for a full day while the market is
   * closed. Undefined without an implied move.
   */
  readonly sigmas: number | undefined
}

/** Distance of spot from the gamma flip of a scope of one expiration. Undefined without a flip. */
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
