/** The archive cannot be used; the message tells the operator why. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError'
}

/** A snapshot that cannot be stored, however often it is tried. */
export class UnwritableSnapshot extends Error {
  override readonly name = 'UnwritableSnapshot'
}
