/** What a signal says of itself: its drivers, each with its number, and what would void the reading. */
export interface Reasons {
  /** One to five sentences. */
  readonly why: readonly string[]
  /** One to four conditions. */
  readonly avoidIf: readonly string[]
}

/** Sentences, those left out that have nothing to say. */
export const sentences = (...said: readonly (string | undefined)[]) => said.filter((one) => one !== undefined)
