export interface SeriesColumns {
  readonly t: readonly string[]
  readonly columns: Readonly<Record<string, readonly (number | null)[]>>
}
