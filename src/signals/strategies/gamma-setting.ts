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

/** Gamma levels of a scope and the position of spot among them; undefined if a level is missing. */
export interface GammaSetting {
  readonly flip: number | undefined
  readonly callWall: number | undefined
  readonly putWall: number | undefined
  /** Signed distance from the flip in percent of spot: 100 (spot - flip) / spot. */
  readonly distance: number | undefined
  readonly position: SpotPosition
  readonly isBelowFlip: boolean
  /** Degree to which dealer hedging dampens moves: 1 at or above the flip, 0 below, 0.5 without a flip. */
  readonly dampening: number
}

/** Gamma levels of a scope and the position of spot. Source: the wire contract, x-conventions.inputs. */
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

/** Position of spot among the levels. Beyond a wall the flip is ignored; between the walls it decides. */
export function spotPosition(
  spot: number,
  { flip, callWall, putWall }: Pick<GammaSetting, 'flip' | 'callWall' | 'putWall'>
): SpotPosition {
  if (callWall !== undefined && spot > callWall) return 'above_call_wall'
  if (putWall !== undefined && spot < putWall) return 'below_put_wall'
  if (callWall === undefined || putWall === undefined || flip === undefined) return 'unknown'
  return spot >= flip ? 'between_walls_above_flip' : 'between_walls_below_flip'
}
