import { withinUnit } from '../math/unit-interval.ts'

/** Names of the quality checks, in the order in which responses list them. */
export const checkIds = [
  'age',
  'two_sided',
  'crossed',
  'spread',
  'parity',
  'smile',
  'arbitrage',
  'missing_expirations',
  'open_interest_date',
  'spot',
  'scale',
  'open_interest',
  'settlement',
  'frozen_quotes',
  'quote_times'
] as const
export type CheckId = (typeof checkIds)[number]

/**
 * Outcomes of a check: it costs nothing, it costs points, the data that it needs are missing, or there is nothing to
 * check at this moment.
 */
export const checkStates = ['passed', 'failed', 'not_checkable', 'not_due'] as const
export type CheckState = (typeof checkStates)[number]

/** Result of one quality check, with the points that it deducts. */
export interface QualityCheck {
  readonly id: CheckId
  /** Measured value, in the unit that `checkUnits` states. Undefined if the check was not made. */
  readonly value: number | undefined
  readonly deduction: number
  readonly state: CheckState
}

export const checkUnits = {
  age: 'seconds',
  two_sided: 'percent',
  crossed: 'percent',
  spread: 'percent',
  parity: 'ratio',
  smile: 'percent',
  arbitrage: 'percent',
  missing_expirations: 'count',
  open_interest_date: 'percent',
  spot: 'percent',
  scale: 'percent',
  open_interest: 'percent',
  settlement: 'percent',
  frozen_quotes: 'percent',
  quote_times: 'seconds'
} as const satisfies Readonly<Record<CheckId, string>>

/** Points of a chain whose spot or scale is contradicted by its own options: the score falls below 20. */
export const CONTRADICTED = 85

interface Grades {
  /** Points deducted at `bad` and beyond. */
  readonly most: number
  readonly good: number
  readonly bad: number
  /** Points deducted if the check cannot be made; default: none. */
  readonly unknown?: number
}

/** Makes a check whose deduction grows linearly with `value`: from 0 points at `good` to `most` points at `bad`. */
export function graded(id: CheckId, value: number | undefined, { most, good, bad, unknown = 0 }: Grades): QualityCheck {
  if (value === undefined) return notCheckable(id, unknown)
  return checked(id, value, most * withinUnit((value - good) / (bad - good)))
}

/** Makes a check that deducts these points, rounded to a whole number. */
export function checked(id: CheckId, value: number, points: number): QualityCheck {
  const deduction = wholePoints(points)
  return { id, value, deduction, state: deduction > 0 ? 'failed' : 'passed' }
}

/** Makes a check whose data are missing, with the points that this costs. */
export function notCheckable(id: CheckId, deduction = 0): QualityCheck {
  return { id, value: undefined, deduction, state: 'not_checkable' }
}

/** Makes a check for which there is nothing to check at this moment. */
export function notDue(id: CheckId): QualityCheck {
  return { id, value: undefined, deduction: 0, state: 'not_due' }
}

export function wholePoints(points: number): number {
  return Math.floor(points + 0.5)
}

export function qualityScore(deducted: number): number {
  return Math.max(0, 100 - deducted)
}
