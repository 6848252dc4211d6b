interface Pauses {
  /** Pause after the first failure, milliseconds. */
  readonly first: number
  /** Longest pause, milliseconds. */
  readonly longest: number
}

/**
 * Milliseconds to wait before the next attempt: `first`, doubled after each further failure in a row, at most
 * `longest`.
 */
export function backOff(failures: number, { first, longest }: Pauses): number {
  return Math.min(longest, first * 2 ** (failures - 1))
}
