import type { Prints, TapeKind, TapeSource } from '../market/print.ts'
import type { Series, SeriesExpiration } from '../market/series.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { NewestSamples, StrikeMinute, ZeroDteSample } from '../market/zero-dte-sample.ts'

// What answers see of a tape: plain columns as they stood at one moment, in memory that every thread can read. Immutable.

/** Where the prints behind an answer come from; `none` where there is no tape. */
export type FlowSource = TapeSource | 'none'

/** What every view says of its tape. */
export interface TapeHeader {
  readonly symbol: Ticker
  readonly kind: TapeKind
  readonly session: IsoDate
  readonly source: TapeSource
  /** What one unit of its prices is, USD. */
  readonly unit: number
  /** When the newest row became known, milliseconds; undefined before the first. */
  readonly known: Instant | undefined
  /** The same number: the same view of the same tape. */
  readonly version: number
  /** Nothing has come from the feed as a whole for a minute of the session. */
  readonly silent: boolean
}

/** Contracts bought, sold and neither, by series: what the simulator of open interest is made from. Eligible prints. */
export interface Positions extends TapeHeader {
  readonly series: Series
  readonly bought: Int32Array
  readonly sold: Int32Array
  readonly other: Int32Array
  /** The share of classified volume that is taken to change positions, above 0 to 1, at most 6 decimals. */
  readonly confidence: number
}

/**
 * Sums of the session by expiration, adjusted series left out; of a stock tape one row. Newest: microseconds, NaN
 * without a print.
 */
export interface Totals extends TapeHeader {
  readonly expirations: readonly SeriesExpiration[]
  readonly bought: Float64Array
  readonly sold: Float64Array
  readonly other: Float64Array
  readonly trades: Int32Array
  /** Series with a print. */
  readonly contracts: Int32Array
  readonly biggest: Int32Array
  readonly newest: Float64Array
}

/** The newest prints of a tape in its order, without cancels and what they took back. */
export interface PrintWindow extends TapeHeader {
  readonly series: Series
  readonly prints: Prints
}

/**
 * Sums by minute and expiration, ascending by minute, then expiration; adjusted series left out. Every print counts. What
 * may not set a price counts in volume and trades alone. Times of prints are microseconds.
 */
export interface MinuteBuckets extends TapeHeader {
  readonly length: number
  readonly expirations: readonly SeriesExpiration[]
  /** Its beginning, milliseconds. */
  readonly minute: Float64Array
  /** Index into `expirations`; 0 on a stock tape. */
  readonly expiration: Int32Array
  readonly bought: Float64Array
  readonly sold: Float64Array
  readonly other: Float64Array
  readonly trades: Int32Array
  readonly biggest: Int32Array
  /** When the newest of the equally big ones printed. */
  readonly biggestAt: Float64Array
  readonly newest: Float64Array
  /** Price times size of prints that may set a price, in price units, and the size of those. */
  readonly money: Float64Array
  readonly pricedSize: Float64Array
  /** The same of what customers bought and sold. */
  readonly boughtMoney: Float64Array
  readonly soldMoney: Float64Array
  /**
   * Price units; NO_PRICE where nothing in the minute may set a price. Opening and closing price are the first and last by
   * time, of a stock tape; of options there are none.
   */
  readonly high: Int32Array
  readonly low: Int32Array
  readonly open: Int32Array
  readonly close: Int32Array
}

/** The same by second, of a stock tape: only seconds with a print. */
export interface SecondBars extends Omit<MinuteBuckets, 'minute' | 'expiration' | 'expirations'> {
  /** Its beginning, milliseconds. */
  readonly second: Float64Array
}

/**
 * Groups of prints that are large enough to be a signal, closed by the moment of the view, in the order of their first
 * print. Times in microseconds, money in price units times contracts.
 */
export interface Groups extends TapeHeader {
  readonly length: number
  readonly series: Series
  readonly instrument: Int32Array
  readonly first: Float64Array
  readonly last: Float64Array
  /** Sequence of the first print. */
  readonly sequence: Float64Array
  readonly side: Uint8Array
  readonly prints: Int32Array
  readonly size: Int32Array
  readonly money: Float64Array
  /** Contracts by aggressor, five to a group in the order of `aggressors`. */
  readonly sizeByAggressor: Int32Array
  /** How the session ended, by instrument, where it is over: what its scores rest on. Open interest is the official one. */
  readonly closing?: Pick<Positions, 'bought' | 'sold'> & { readonly openInterest: Int32Array }
  /** 1 where several prints are one order met by several: one named exchange, one price, no sweep mark. */
  readonly oneOrder: Uint8Array
}

/** Raw bars of what expires on the day of the session, ascending. */
export interface ZeroDteSamples extends TapeHeader {
  readonly samples: readonly ZeroDteSample[]
}

/** Its strikes by minute, ascending. */
export interface StrikeMinutes extends TapeHeader {
  readonly minutes: readonly StrikeMinute[]
}

/** Figures by strike, a row for each: whole cents and contracts. */
export interface StrikeFlow {
  readonly strike: Float64Array
  readonly signedDelta: Float64Array
  readonly signedGamma: Float64Array
  readonly contracts: Float64Array
}

/** What makes dealers hedge, whole cents: the deltas that customers' calls and puts made them trade. */
export interface HedgeLegs {
  readonly calls: number
  readonly puts: number
}

/**
 * Hedge flow of what expires on the day of the session, as far as it was folded with greeks. `sum` is everything up to the
 * end of a bar, `inside` what lies in that bar alone: the newest whole half minute of the legs, the newest whole minute of
 * the strikes.
 */
export interface HedgeFlow extends TapeHeader {
  /** When the first snapshot became known, microseconds: sums are of one beginning for as long as it stays the same. */
  readonly since: number | undefined
  readonly legs: { readonly end: Instant; readonly sum: HedgeLegs; readonly inside: HedgeLegs }
  readonly strikes: { readonly end: Instant; readonly sum: StrikeFlow; readonly inside: StrikeFlow }
}

/** Every view there is, by the name it is asked for. A further one is a line here and in `flow/folds.ts`. */
export interface Views {
  positions: Positions
  totals: Totals
  prints: PrintWindow
  /** Large prints, further back than `prints` reaches. */
  blocks: PrintWindow
  minutes: MinuteBuckets
  seconds: SecondBars
  groups: Groups
  hedge: HedgeFlow
  samples: ZeroDteSamples
  strikes: StrikeMinutes
}

export type ViewName = keyof Views

/** Which view of which tape. */
export interface ViewRequest<Name extends ViewName = ViewName> {
  readonly symbol: Ticker
  readonly kind: TapeKind
  readonly view: Name
}

/** Views of sessions that are over, which windows of several days read too. */
export type PastViewName = 'minutes' | 'groups'

/** The newest complete sample of a symbol and the one before it, and where its tape comes from. */
export interface NewestSample extends NewestSamples {
  readonly symbol: Ticker
  readonly source: TapeSource
}

/** Sums of one symbol over a window of minutes, for scans across symbols: as `MinuteBuckets` over all expirations. */
export interface WindowTotals {
  readonly symbol: Ticker
  /** What one unit of its prices is, USD. */
  readonly unit: number
  readonly bought: number
  readonly sold: number
  readonly other: number
  readonly trades: number
  readonly money: number
  readonly pricedSize: number
  readonly biggest: number
  readonly biggestAt: number
  readonly newest: number
  /** Money and size of the newest minute with a print. */
  readonly lastMoney: number
  readonly lastPricedSize: number
}

/** What a view says of its moment beside what the folds hold. */
export interface ViewContext extends TapeHeader {
  /** Groups that are closed by then are shown, milliseconds. */
  readonly now: Instant
  /** Series of all instruments that were folded. */
  readonly series: Series
  /** See `Positions`. */
  readonly confidence: number
}

export function tapeHeaderOf({ symbol, kind, session, source, unit, known, version, silent }: TapeHeader): TapeHeader {
  return { symbol, kind, session, source, unit, known, version, silent }
}
