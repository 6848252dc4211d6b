/** Figures through the session. */
export interface Track {
  /** milliseconds, ascending */
  readonly times: readonly number[]
  /** of each line a figure for each of the times */
  readonly lines: readonly (readonly (number | null)[])[]
}
