import type { MacroLevel } from '../market/macro.ts'

export interface LevelChange {
  readonly value: number
  /** Change since the previous close, in points. Undefined if that close is unknown. */
  readonly change: number | undefined
  /** Change in percent of the previous close. Undefined if that close is unknown or 0. */
  readonly changePercent: number | undefined
}

export function levelChange({ value, previous }: MacroLevel): LevelChange {
  const change = previous === undefined ? undefined : value - previous
  return { value, change, changePercent: change === undefined || !previous ? undefined : (100 * change) / previous }
}
