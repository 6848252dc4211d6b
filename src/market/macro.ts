/** A market-wide level, and its previous close, undefined if unknown. */
export interface MacroLevel {
  readonly value: number
  readonly previous: number | undefined
}

/** Indexes that are quoted during the session; the MOVE index is published once a day (`macro-series.ts`). */
export const quotedIndices = ['vix', 'vix9d', 'vix3m', 'vix6m', 'vvix', 'skew', 'spx'] as const
export type QuotedIndex = (typeof quotedIndices)[number]
export type MacroIndex = QuotedIndex | 'move'

/** Levels of the wider market as far as a source knows them. A level that is not quoted is absent. */
export interface Macro {
  readonly levels: Readonly<Partial<Record<MacroIndex, MacroLevel>>>
  /** Yields and rates in percent; `highYieldSpread` is the option-adjusted spread of high-yield bonds. */
  readonly tenYear: number | undefined
  readonly highYieldSpread: number | undefined
  readonly fedFunds: number | undefined
  /** Fear and greed score: 0 extreme fear to 100 extreme greed. */
  readonly fearAndGreed: number | undefined
}
