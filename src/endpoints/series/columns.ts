/** Columns of a series response for the CSV and Arrow formats. */
export interface SeriesColumns {
  readonly t: readonly string[]
  readonly columns: Readonly<Record<string, readonly (number | null)[]>>
}
