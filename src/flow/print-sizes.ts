import type { TapeKind } from '../market/print.ts'

/** Contracts or shares from which on a print is a block. */
export const blockSize: Readonly<Record<TapeKind, number>> = { option: 100, stock: 10_000 }

/** Those from which on it is among the large prints that are kept for longer than the others. */
export const largePrintFloor: Readonly<Record<TapeKind, number>> = { option: 25, stock: 1000 }
