/** An archive that cannot be used as it is, in a sentence for its operator. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError'
}

/** An image that has no form in the archive, however often it is tried. */
export class UnwritableImage extends Error {
  override readonly name = 'UnwritableImage'
}
