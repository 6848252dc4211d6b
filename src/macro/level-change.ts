import type { MacroLevel } from '../market/macro.ts'

/** A market-wide level beside the close before. */
export interface LevelChange {
  readonly value: number
  /** In points of the level. Undefined where the close before is not known. */
  readonly change: number | undefined
  /** In percent of the close before. Undefined too where that is 0. */
  readonly changePercent: number | undefined
}

/** How far a level has moved since the close before. */
export function levelChange({ value, previous }: MacroLevel): LevelChange {
  const change = previous === undefined ? undefined : value - previous
  return { value, change, changePercent: change === undefined || !previous ? undefined : (100 * change) / previous }
}
