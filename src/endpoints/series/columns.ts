/** The columns of an answer, as its other forms than JSON write them. */
export interface SeriesColumns {
  readonly t: readonly string[]
  readonly columns: Readonly<Record<string, readonly (number | null)[]>>
}
