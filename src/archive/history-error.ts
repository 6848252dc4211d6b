/** The archive cannot be used. The message tells the operator why. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError'
}

/** A snapshot can never be stored, so retrying is useless. */
export class UnwritableSnapshot extends Error {
  override readonly name = 'UnwritableSnapshot'
}
