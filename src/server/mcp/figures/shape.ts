/** How much of an answer a caller wants. */
export interface Shape {
  readonly detail: 'brief' | 'full'
  /** Rows of each list; undefined for as many as the detail has. */
  readonly rows: number | undefined
  /** First row of each list, from 0; undefined for those that matter most. */
  readonly fromRow: number | undefined
  /** Path of a field that is wanted alone, such as strikes[640]. */
  readonly part: string | undefined
}
