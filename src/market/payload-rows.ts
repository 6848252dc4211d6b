/** What became of the rows of a payload while they were read, for those that judge the payload as a whole. */
export interface PayloadRows {
  /** Contracts that the payload lists. */
  readonly rows: number
  /** Rows without a readable symbol, or of another underlying. */
  readonly unreadable: number
  /** Rows left out because their quote is none: not finite, below zero, or no number. */
  readonly unusable: number
  /** Those of them with open interest or volume. */
  readonly unusableLiquid: number
}
