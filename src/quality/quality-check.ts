import { withinUnit } from '../math/unit-interval.ts'

/** What is asked of the data under the numbers, in the order of an answer. */
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
  'spot'
] as const
export type CheckId = (typeof checkIds)[number]

/** What one check found, and the points it costs. */
export interface QualityCheck {
  readonly id: CheckId
  /** In the unit of `checkUnits`. Undefined where the check cannot be made: it then costs nothing. */
  readonly value: number | undefined
  /** Whole points of 100. */
  readonly deduction: number
}

/** The unit of what each check finds. */
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
  spot: 'percent'
} as const satisfies Readonly<Record<CheckId, string>>

/** A check whose cost grows evenly from nothing at `good` to `most` points at `bad`, rounded half up. */
export function graded(
  id: CheckId,
  value: number | undefined,
  { most, good, bad }: { readonly most: number; readonly good: number; readonly bad: number }
): QualityCheck {
  const share = value === undefined ? 0 : withinUnit((value - good) / (bad - good))
  return { id, value, deduction: wholePoints(most * share) }
}

/** Whole points, half of one rounded up. */
export function wholePoints(points: number): number {
  return Math.floor(points + 0.5)
}

/** What is left of 100 points. */
export function qualityScore(deducted: number): number {
  return Math.max(0, 100 - deducted)
}
