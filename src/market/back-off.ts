interface Pauses {
  /** After the first failure, milliseconds. */
  readonly first: number
  /** However many failures there were, milliseconds. */
  readonly longest: number
}

/** How long to wait before another attempt, milliseconds: twice as long after each failure in a row, within a bound. */
export function backOff(failures: number, { first, longest }: Pauses): number {
  return Math.min(longest, first * 2 ** (failures - 1))
}
