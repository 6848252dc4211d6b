import type { TapeKind } from '../market/print.ts'
import { CANCEL, NOT_ELIGIBLE } from '../market/print.ts'

/** Contracts or shares from which on a print is a block. */
export const blockSize: Readonly<Record<TapeKind, number>> = { option: 100, stock: 10_000 }

/** Those from which on it is among the large prints that are kept for longer than the others. */
export const largePrintFloor: Readonly<Record<TapeKind, number>> = { option: 25, stock: 1000 }

/** Whether a print, or the print that a cancel takes back, feeds simulator, groups and hedge flow. */
export const isEligible = (flags: number): boolean => (flags & NOT_ELIGIBLE & ~CANCEL) === 0

/** A price of a tape, a whole number of its unit, in USD: the double nearest to the decimal that was printed. */
export function dollars(price: number, unit: number): number {
  return price / Math.round(1 / unit)
}
