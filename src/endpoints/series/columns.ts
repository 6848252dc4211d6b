/** Columns of a series answer for the CSV and Arrow forms. */
export interface SeriesColumns {
  readonly t: readonly string[]
  readonly columns: Readonly<Record<string, readonly (number | null)[]>>
}
