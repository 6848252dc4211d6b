export interface PayloadRows {
  /** Number of contracts that the payload lists. */
  readonly rows: number
  /** Rows without a readable symbol, or with another underlying. */
  readonly unreadable: number
  /** Rows left out because of an unusable quote: negative, infinite, or not a number. */
  readonly unusable: number
  /** Unusable rows with open interest or volume. */
  readonly unusableLiquid: number
  /** Rows of a contract that another row describes too; absent if the source cannot repeat one. */
  readonly repeated?: number
  /** Rows with an open interest that no contract can have: negative, a fraction, or beyond 32 bits. */
  readonly impossibleInterest?: number
}
