import type { BandErrors } from './band-errors.ts'
import type { IsoDate } from './units.ts'

/**
 * Summary of one session of a symbol, computed after its close: the stored row behind percentiles, correlations and
 * daily histories. With the errors of the bands of the evening before. Volatilities in percent, prices in USD per share, exposures in USD. Undefined if not available that
 * day.
 */
export interface DailyRecord extends BandErrors {
  readonly date: IsoDate
  readonly close: number
  /** At-the-money volatility of the expiration nearest to 30 days (`referenceSlice`). */
  readonly atmIv: number | undefined
  /** At-the-money volatility for a constant maturity of 30 days. */
  readonly atmIv30: number | undefined
  /** Close-to-close realized volatility over the last 5, 10, 20 and 30 returns, including this session's. */
  readonly rv5: number | undefined
  readonly rv10: number | undefined
  readonly rv20: number | undefined
  readonly rv30: number | undefined
  /** Call mid plus put mid at the strike nearest to the close, in the expiration nearest to 30 days. */
  readonly straddle: number | undefined
  /** Exposures over all contracts of the closing chain; undefined if the chain is not usable. */
  readonly netGex: number | undefined
  readonly netDex: number | undefined
  readonly netVex: number | undefined
  readonly netChex: number | undefined
  readonly gammaFlip: number | undefined
  readonly callWall: number | undefined
  readonly putWall: number | undefined
}

/** Maximum number of records kept per symbol, newest last: a year of sessions. */
export const MAX_RECORDS = 260
