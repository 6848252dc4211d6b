import type { Ink } from '../ink.ts'
import type { LevelLine } from './data.ts'

/** The colour of a line. */
export const inkOf = (ink: Ink, tone: LevelLine['tone']): string => ink[tone]

/** The colour of words of a tone, which need more contrast than a line. */
export const textInkOf = (ink: Ink, tone: LevelLine['tone']): string =>
  ink[tone === 'call' || tone === 'put' ? (`${tone}-ink` as const) : tone]
