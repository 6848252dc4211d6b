/** Counts of the rows of a payload, for judging the payload as a whole. */
export interface PayloadRows {
  /** Contracts that the payload lists. */
  readonly rows: number
  /** Rows without a readable symbol, or of another underlying. */
  readonly unreadable: number
  /** Rows left out because of an unusable quote: not finite, negative, or no number. */
  readonly unusable: number
  /** Unusable rows with open interest or volume. */
  readonly unusableLiquid: number
}
