import type { GammaSetting } from '../../signals/strategies/gamma-setting.ts'
import { level, percent } from '../format.ts'

/** Where spot stands to the flip. */
export function flipReading({ flip, distance }: Pick<GammaSetting, 'flip' | 'distance'>): string | undefined {
  if (flip === undefined || distance === undefined) return undefined
  const side = distance < 0 ? 'below' : 'above'
  return `Spot is ${percent(Math.abs(distance))} ${side} the gamma flip at ${level(flip)}.`
}

/** The loss of the flip as a condition. */
export function flipCondition({ flip }: Pick<GammaSetting, 'flip'>): string | undefined {
  return flip === undefined ? undefined : `Spot trades below the gamma flip at ${level(flip)}.`
}
