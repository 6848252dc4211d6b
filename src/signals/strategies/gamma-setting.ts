import { keyLevels } from '../../exposure/levels/key-levels.ts'
import type { Scope } from '../../exposure/scope.ts'
import { gammaFlip } from '../../exposure/spot-ladder/gamma-flip.ts'

export const spotPositions = [
  'above_call_wall',
  'below_put_wall',
  'between_walls_above_flip',
  'between_walls_below_flip',
  'unknown'
] as const
export type SpotPosition = (typeof spotPositions)[number]

/** Gamma levels of a scope, and where spot lies among them. A level is undefined if it does not exist. */
export interface GammaSetting {
  readonly flip: number | undefined
  readonly callWall: number | undefined
  readonly putWall: number | undefined
  /** Distance from the flip in percent of spot, negative below the flip: 100 (spot - flip) / spot. */
  readonly distance: number | undefined
  readonly position: SpotPosition
  readonly isBelowFlip: boolean
  /** How much dealer hedging dampens price moves: 1 if spot is at or above the flip, 0 below it, 0.5 without a flip. */
  readonly dampening: number
}

/**
 * Computes the gamma levels of a scope and where spot lies among them. Source: the published API contract,
 * x-conventions.inputs.
 */
export function gammaSetting(scope: Scope): GammaSetting {
  const { spot } = scope.chain
  const flip = gammaFlip(scope)
  const levels = keyLevels(scope)
  const [callWall, putWall] = [levels.callWall?.strike, levels.putWall?.strike]
  const isBelowFlip = flip !== undefined && spot < flip
  return {
    flip,
    callWall,
    putWall,
    distance: flip === undefined ? undefined : (100 * (spot - flip)) / spot,
    position: spotPosition(spot, { flip, callWall, putWall }),
    isBelowFlip,
    dampening: flip === undefined ? 0.5 : isBelowFlip ? 0 : 1
  }
}

/**
 * Position of spot among the levels. Above the call wall or below the put wall, the flip does not matter. Between the
 * walls it decides.
 */
export function spotPosition(
  spot: number,
  { flip, callWall, putWall }: Pick<GammaSetting, 'flip' | 'callWall' | 'putWall'>
): SpotPosition {
  if (callWall !== undefined && spot > callWall) return 'above_call_wall'
  if (putWall !== undefined && spot < putWall) return 'below_put_wall'
  if (callWall === undefined || putWall === undefined || flip === undefined) return 'unknown'
  return spot >= flip ? 'between_walls_above_flip' : 'between_walls_below_flip'
}
