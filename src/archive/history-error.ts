/** An archive that cannot be used as it is, in a sentence for its operator. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError'
}

/** A snapshot that has no form in the archive, however often it is tried. */
export class UnwritableSnapshot extends Error {
  override readonly name = 'UnwritableSnapshot'
}
