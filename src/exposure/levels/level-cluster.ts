import { median } from '../../math/statistics.ts'
import { impliedMove } from '../at-the-money/implied-move.ts'
import { sumOf } from '../by-strike.ts'
import { maxPain } from '../pin/max-pain.ts'
import type { Scope } from '../scope.ts'
import { gammaFlip } from '../spot-ladder/gamma-flip.ts'
import { keyLevels } from './key-levels.ts'

/** With fewer levels there is nothing to agree. */
const MIN_LEVELS = 3

/**
 * How closely the levels of a scope agree: 100 when all lie on one strike, 0 when they lie a day's implied move from
 * their median on average; not rounded. The levels are flip, magnet, max pain, highest open interest and both walls.
 * Undefined with fewer than three of them or without an implied move. Source: the wire contract.
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

/** The score of given levels beside a day's move, both in USD of the underlying. */
export function clusterScore(levels: readonly number[], dayMove: number | undefined): number | undefined {
  if (levels.length < MIN_LEVELS || !dayMove) return undefined
  const middle = median(levels)!
  const spread = sumOf(levels, (level) => Math.abs(level - middle)) / levels.length
  return 100 * Math.max(0, 1 - spread / dayMove)
}
