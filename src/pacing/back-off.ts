interface Pauses {
  /** Milliseconds after the first failure. */
  readonly first: number
  /** Milliseconds at most, however many failures there were. */
  readonly longest: number
}

/** Milliseconds to wait before another attempt: twice as long after each failure in a row, within a bound. */
export function backOff(failures: number, { first, longest }: Pauses): number {
  return Math.min(longest, first * 2 ** (failures - 1))
}
