import { DASHED, DOTTED, type Mark, merged, SOLID, type Tone } from '../day/level-marks.ts'
import { LEVEL_GROUPS, type LevelGroup } from '../page/place.ts'

/** A level that the chart draws through time. */
export interface LevelField {
  readonly field: string
  readonly name: string
  readonly tone: Tone
  readonly dash: readonly number[]
  /** Whether it jumps from strike to strike. */
  readonly isStep: boolean
  readonly group: LevelGroup
}

export const LEVEL_FIELDS: readonly LevelField[] = [
  { field: 'call_wall', name: 'Call wall', tone: 'call', dash: SOLID, isStep: true, group: 'walls' },
  { field: 'put_wall', name: 'Put wall', tone: 'put', dash: SOLID, isStep: true, group: 'walls' },
  { field: 'gamma_flip', name: 'Flip', tone: 'flip', dash: DASHED, isStep: false, group: 'flip' },
  { field: 'zero_dte.magnet', name: '0DTE magnet', tone: 'magnet', dash: DOTTED, isStep: true, group: 'zero_dte' },
  { field: 'zero_dte.call_wall', name: '0DTE call wall', tone: 'call', dash: DOTTED, isStep: true, group: 'zero_dte' },
  { field: 'zero_dte.put_wall', name: '0DTE put wall', tone: 'put', dash: DOTTED, isStep: true, group: 'zero_dte' },
  { field: 'max_pain', name: 'Max pain', tone: 'good', dash: DASHED, isStep: true, group: 'max_pain' }
]

/** Names of the groups for the menu of the chart. */
export const GROUP_NAMES: Readonly<Record<LevelGroup, string>> = {
  walls: 'Call and put wall',
  flip: 'Gamma flip',
  zero_dte: '0DTE walls and magnet',
  max_pain: 'Max pain'
}

/** The groups that an address leaves out, such as -zero_dte,-max_pain. */
export function hiddenGroups(text: string | undefined): readonly LevelGroup[] {
  const words = (text ?? '').split(',')
  return LEVEL_GROUPS.filter((group) => words.includes(`-${group}`))
}

/** The words of an address after a group was shown or hidden; undefined: all are shown. */
export function withGroup(text: string | undefined, group: LevelGroup, isShown: boolean): string | undefined {
  const others = hiddenGroups(text).filter((each) => each !== group)
  const hidden = LEVEL_GROUPS.filter((each) => others.includes(each) || (each === group && !isShown))
  return hidden.length === 0 ? undefined : hidden.map((each) => `-${each}`).join()
}

/** Marks of levels by their prices, those at one price together. */
export function marksAt(
  shown: readonly LevelField[],
  priceOf: (field: string) => number | null | undefined
): readonly Mark[] {
  return merged(shown.map(({ field, name, tone, dash }) => [name, priceOf(field), tone, dash]))
}
