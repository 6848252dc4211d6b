import { CANCEL, NOT_ELIGIBLE } from '../market/print.ts'

/** Whether a print, or the print that a cancel takes back, feeds simulator, groups and hedge flow. */
export const isEligible = (flags: number): boolean => (flags & NOT_ELIGIBLE & ~CANCEL) === 0
