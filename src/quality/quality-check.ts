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
  'spot'
] as const
export type CheckId = (typeof checkIds)[number]

/** Result of one quality check, with the points that it deducts. */
export interface QualityCheck {
  readonly id: CheckId
  /**
   * Measured value, in the unit that `checkUnits` states. Undefined if the check cannot be made; nothing is deducted
   * then.
   */
  readonly value: number | undefined
  readonly deduction: number
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
  spot: 'percent'
} as const satisfies Readonly<Record<CheckId, string>>

/** Makes a check whose deduction grows linearly with `value`: from 0 points at `good` to `most` points at `bad`. */
export function graded(
  id: CheckId,
  value: number | undefined,
  { most, good, bad }: { readonly most: number; readonly good: number; readonly bad: number }
): QualityCheck {
  const share = value === undefined ? 0 : withinUnit((value - good) / (bad - good))
  return { id, value, deduction: wholePoints(most * share) }
}

export function wholePoints(points: number): number {
  return Math.floor(points + 0.5)
}

export function qualityScore(deducted: number): number {
  return Math.max(0, 100 - deducted)
}
