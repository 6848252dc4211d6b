/** Origin of a bar's prices: stock prints, spots of recorded snapshots, the daily bars, or the synthetic market. */
export const barOrigins = ['tape', 'snapshots', 'daily', 'generated'] as const
export type BarOrigin = (typeof barOrigins)[number]

/** BarPrices of a bar, USD per share, and its shares; undefined if unknown. */
export interface BarPrices {
  readonly open: number | undefined
  readonly high: number | undefined
  readonly low: number | undefined
  readonly close: number | undefined
  readonly shares: number | undefined
  readonly origin: BarOrigin
}

/** A figure of a column, in which NaN means that it is absent. */
export const known = (figure: number): number | undefined => (Number.isNaN(figure) ? undefined : figure)
