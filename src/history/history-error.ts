/** An archive that cannot be used as it is, in a sentence for its operator. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError'
}
