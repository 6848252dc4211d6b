import { dayShareLeft, isMarketOpen } from '../../market/clock.ts'
import type { Scope } from '../scope.ts'
import { gammaFlip } from '../spot-ladder/gamma-flip.ts'
import { spotVolatility } from './at-the-money.ts'

/** Expected move of the underlying's price: one standard deviation in USD. */
export interface ExpectedMove {
  /** Move over one full trading day: S σ √(1/252), with spot S and at-the-money volatility σ. */
  readonly fullDay: number
  /** Move from now until the expiration. On its last day it becomes smaller as the trading session passes. */
  readonly remaining: number
}

/**
 * Expected move until the one expiration of a scope. On its last day, the remaining move is the full-day move times
 * √`shareLeft`, where `shareLeft` is the share of the trading session that is left. On earlier days it follows from the
 * years to expiry. Undefined without a volatility at spot.
 */
export function expectedMove(scope: Scope, days: number, shareLeft: number): ExpectedMove | undefined {
  const sigma = spotVolatility(scope)
  if (sigma === undefined) return undefined
  const fullDay = scope.chain.spot * sigma * Math.sqrt(1 / 252)
  const t = scope.chain.carries[scope.expirations[scope.expirations.length - 1]].t
  return {
    fullDay,
    remaining: days === 0 ? fullDay * Math.sqrt(shareLeft) : scope.chain.spot * sigma * Math.sqrt(t)
  }
}

/**
 * Expected move until the one expiration of a scope, at the moment of its chain. Undefined without a volatility at
 * spot.
 */
export function impliedMove(scope: Scope): ExpectedMove | undefined {
  const { chain, expirations } = scope
  return expectedMove(scope, chain.carries[expirations[0]].days, dayShareLeft(chain.asOf))
}

export interface FlipDistance {
  /** Whether spot is above or below the gamma flip. Spot exactly at the flip counts as above. */
  readonly side: 'above' | 'below'
  /** Distance in percent of spot, negative if spot is below the flip: 100 (spot - flip) / spot. */
  readonly percent: number
  /** Distance in USD of the underlying, 0 or more. */
  readonly dollars: number
  /**
   * Distance in standard deviations of the expected move: for the rest of the day, or for a full day while the market
   * is closed. Undefined without an implied move.
   */
  readonly sigmas: number | undefined
}

/** Distance between spot and the gamma flip, for a scope of one expiration. Undefined without a flip. */
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
