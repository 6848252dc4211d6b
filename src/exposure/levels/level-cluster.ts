import { median } from '../../math/statistics.ts'
import { impliedMove } from '../at-the-money/implied-move.ts'
import { sumOf } from '../by-strike.ts'
import { maxPain } from '../pin/max-pain.ts'
import type { Scope } from '../scope.ts'
import { gammaFlip } from '../spot-ladder/gamma-flip.ts'
import { keyLevels } from './key-levels.ts'

const MIN_LEVELS = 3

/**
 * How close together the levels of a scope lie, 0 to 100, not rounded. 100: all on one strike. 0: their mean distance
 * from their median is a full day's implied move or more. The levels are flip, magnet, max pain, highest open interest
 * and both walls. Undefined with fewer than three of them, or without an implied move. Source: the published API
 * contract.
 */
export function levelCluster(scope: Scope): number | undefined {
  const { callWall, putWall, magnet, highestOi } = keyLevels(scope)
  const levels = [
    gammaFlip(scope),
    magnet?.strike,
    maxPain(scope),
    highestOi?.strike,
    callWall?.strike,
    putWall?.strike
  ].filter((level) => level !== undefined)
  return clusterScore(levels, impliedMove(scope)?.fullDay)
}

/**
 * How close together the given levels lie, 0 to 100; see `levelCluster`. Levels and `dayMove` are in USD of the
 * underlying.
 */
export function clusterScore(levels: readonly number[], dayMove: number | undefined): number | undefined {
  if (levels.length < MIN_LEVELS || !dayMove) return undefined
  const middle = median(levels)!
  const spread = sumOf(levels, (level) => Math.abs(level - middle)) / levels.length
  return 100 * Math.max(0, 1 - spread / dayMove)
}
