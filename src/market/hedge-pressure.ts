import type { Instant, IsoDate, Ticker } from './units.ts'

/**
 * Classes of expirations: those of the day of the session, the nearest later one that was listed when the first greeks of
 * the session became known, and all others.
 */
export const pressureExpiries = ['0dte', 'next', 'rest'] as const
/** In the order of CALL and PUT. */
export const pressureRights = ['calls', 'puts'] as const
/** Sizes of a print: up to 10 contracts, up to 99, and 100 or more. */
export const pressureSizes = ['small', 'medium', 'large'] as const
export const pressureMeasures = ['delta', 'gamma', 'vega'] as const

export type PressureExpiry = (typeof pressureExpiries)[number]
export type PressureRight = (typeof pressureRights)[number]
export type PressureSize = (typeof pressureSizes)[number]
export type PressureMeasure = (typeof pressureMeasures)[number]

const MAX_SMALL = 10
const MAX_MEDIUM = 99

export const sizeClass = (contracts: number): number => (contracts <= MAX_SMALL ? 0 : contracts <= MAX_MEDIUM ? 1 : 2)

export const MEASURES = pressureMeasures.length
const SIZES = pressureSizes.length
const RIGHTS = pressureRights.length
/** Sums of one class of expirations. */
export const CELLS_OF_EXPIRY = RIGHTS * SIZES * MEASURES
export const PRESSURE_CELLS = pressureExpiries.length * CELLS_OF_EXPIRY

/**
 * Place of the first measure of a class; the others follow it. The arguments are places in `pressureExpiries`,
 * `pressureRights` and `pressureSizes`.
 */
export const cellOf = (expiry: number, right: number, size: number): number =>
  ((expiry * RIGHTS + right) * SIZES + size) * MEASURES

/** Which prints and which of their greeks a sum is of. */
export interface PressureClass {
  readonly expiry: PressureExpiry
  readonly right: PressureRight
  readonly size: PressureSize
  readonly measure: PressureMeasure
}

/** Every sum, in the order of its cells. */
export const pressureClasses: readonly PressureClass[] = pressureExpiries.flatMap((expiry) =>
  pressureRights.flatMap((right) =>
    pressureSizes.flatMap((size) => pressureMeasures.map((measure) => ({ expiry, right, size, measure })))
  )
)

/** Cells of the classes that fit. */
export const cellsWhere = (fits: (of: PressureClass) => boolean): readonly number[] =>
  pressureClasses.flatMap((of, cell) => (fits(of) ? [cell] : []))

/** Sum of some cells, of the half minute in row `row` of many. */
export function pressureSum(cells: Float64Array, of: readonly number[], row = 0): number {
  let sum = 0
  for (const cell of of) sum += cells[row * PRESSURE_CELLS + cell]
  return sum
}

/**
 * Hedging pressure at the end of the half minute that begins at `t`: `PRESSURE_CELLS` sums since the open, whole cents.
 * Delta is what dealers bought of the underlying to stay hedged; gamma, per move of 1 %, and vega, per point of
 * volatility, are what customers bought.
 */
export interface PressureSample {
  readonly t: Instant
  /** The expiration that counts as `next`; undefined if none is listed. */
  readonly next: IsoDate | undefined
  readonly cells: Float64Array
}

export interface PressureRow extends PressureSample {
  readonly symbol: Ticker
  readonly session: IsoDate
}

/** Sums of an earlier session up to the same time of day. */
export interface PastPressure {
  readonly session: IsoDate
  readonly cells: Float64Array
}
