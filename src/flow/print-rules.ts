import type { TapeKind } from '../market/print.ts'
import { CANCEL, NOT_ELIGIBLE } from '../market/print.ts'

/** Minimum size of a block, contracts or shares. */
export const blockSize: Readonly<Record<TapeKind, number>> = { option: 100, stock: 10_000 }

/** Minimum size of a large print, contracts or shares. Large prints are kept longer than others. */
export const largePrintFloor: Readonly<Record<TapeKind, number>> = { option: 25, stock: 1000 }

/**
 * Whether a print counts in the open interest simulator, the groups and hedge flow. A cancel is judged like the print
 * it cancels.
 */
export const isEligible = (flags: number): boolean => (flags & NOT_ELIGIBLE & ~CANCEL) === 0

/** Converts a price of a tape to USD: the double nearest to the printed decimal. */
export function dollars(price: number, unit: number): number {
  return price / Math.round(1 / unit)
}
