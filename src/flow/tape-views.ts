import type { Prints, TapeKind, TapeSource } from '../market/print.ts'
import type { Series, SeriesExpiration } from '../market/series.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { NewestSamples, StrikeMinute, ZeroDteSample } from '../market/zero-dte-sample.ts'

// Views are what requests see of a tape: plain immutable columns as of one moment, in memory that every thread can
// read.

/**
 * Origin of the prints behind a response: `settled` if there are none and only the volumes at the close of the session are
 * known, `none` if there is no tape.
 */
export type FlowSource = TapeSource | 'settled' | 'none'

/** What figures from prints cover while tapes are still being read. */
export interface FlowPart {
  /** Time of the first print that may be counted, milliseconds. Undefined if whole symbols are missing instead. */
  readonly since: Instant | undefined
  /** Share of the regular session so far, or of the followed symbols if `since` is undefined; from 0 to 1. */
  readonly share: number
}

export interface TapeHeader {
  readonly symbol: Ticker
  readonly kind: TapeKind
  readonly session: IsoDate
  readonly source: TapeSource
  /** USD per unit of the tape's prices. */
  readonly unit: number
  /** Time at which the newest row became known, milliseconds; undefined if there is no row. */
  readonly known: Instant | undefined
  /** Views of a tape with equal versions are equal. */
  readonly version: number
  /** Whether the feed has sent no message for a minute of the session. */
  readonly silent: boolean
  /** The part of the session that the view holds; undefined if it holds all of it so far. */
  readonly part?: FlowPart | undefined
}

/**
 * For each series, the contracts that customers bought, those they sold, and those traded without a known side. Only
 * eligible prints count. Input of the open interest simulator.
 */
export interface Positions extends TapeHeader {
  readonly series: Series
  readonly bought: Int32Array
  readonly sold: Int32Array
  readonly other: Int32Array
  /**
   * Share of net volume (contracts bought minus contracts sold) that is assumed to change open interest: above 0, at
   * most 1, up to 6 decimals.
   */
  readonly confidence: number
}

/**
 * Sums of the session by expiration, without adjusted series; one row on a stock tape. `newest` is in microseconds, NaN
 * without a print.
 */
export interface Totals extends Omit<TapeHeader, 'source'> {
  readonly source: TapeSource | 'settled'
  readonly expirations: readonly SeriesExpiration[]
  readonly bought: Float64Array
  readonly sold: Float64Array
  readonly other: Float64Array
  readonly trades: Int32Array
  /** Number of series with a print. */
  readonly contracts: Int32Array
  readonly biggest: Int32Array
  readonly newest: Float64Array
}

/** The newest prints of a tape, in the order of the tape. Cancels and cancelled prints are left out. */
export interface PrintWindow extends TapeHeader {
  readonly series: Series
  readonly prints: Prints
}

/**
 * Sums by minute and expiration, in this order, without adjusted series. Prints that may not set a price count in
 * volume and number of trades only. Times of prints are microseconds.
 */
export interface MinuteBuckets extends TapeHeader {
  readonly length: number
  readonly expirations: readonly SeriesExpiration[]
  /** Start of each minute, milliseconds. */
  readonly minute: Float64Array
  /** Index into `expirations`; 0 on a stock tape. */
  readonly expiration: Int32Array
  readonly bought: Float64Array
  readonly sold: Float64Array
  readonly other: Float64Array
  readonly trades: Int32Array
  readonly biggest: Int32Array
  /** Time of the biggest print; of equal prints the newest counts. */
  readonly biggestAt: Float64Array
  readonly newest: Float64Array
  /** Sum of price times size, in price units, over prints that may set a price; `pricedSize` is their total size. */
  readonly money: Float64Array
  readonly pricedSize: Float64Array
  /** The part of `money` that belongs to customers' purchases. `soldMoney` is the part that belongs to their sales. */
  readonly boughtMoney: Float64Array
  readonly soldMoney: Float64Array
  /**
   * Extremes in price units; NO_PRICE if no print of the minute may set a price. Open and close are the first and last
   * price by time; option tapes have none.
   */
  readonly high: Int32Array
  readonly low: Int32Array
  readonly open: Int32Array
  readonly close: Int32Array
}

/** The sums of a session over prints that may set a price, in price units times size; see `MinuteBuckets`. */
export interface SessionMoney extends TapeHeader {
  readonly boughtMoney: number
  readonly soldMoney: number
}

/** The sums of a stock tape by second. Seconds without a print are left out. */
export interface SecondBars extends Omit<MinuteBuckets, 'minute' | 'expiration' | 'expirations'> {
  /** Start of each second, milliseconds. */
  readonly second: Float64Array
}

/**
 * Notable groups of prints, large enough to be a signal, that were closed at the time of the view. Ordered by first
 * print. Times are in microseconds, money in price units times contracts.
 */
export interface Groups extends TapeHeader {
  readonly length: number
  readonly series: Series
  readonly instrument: Int32Array
  readonly first: Float64Array
  readonly last: Float64Array
  readonly sequence: Float64Array
  readonly side: Uint8Array
  readonly prints: Int32Array
  readonly size: Int32Array
  readonly money: Float64Array
  /** Contracts by aggressor: five numbers per group, in the order of `aggressors`. */
  readonly sizeByAggressor: Int32Array
  /**
   * Contracts bought and sold and the official open interest, by instrument, at the end of a finished session. The
   * scores are computed from them.
   */
  readonly closing?: Pick<Positions, 'bought' | 'sold'> & { readonly openInterest: Int32Array }
  /** 1 if several prints look like one order: one named exchange, one price, no sweep mark. */
  readonly oneOrder: Uint8Array
}

/** Samples of the contracts that expire on the day of the session, ascending. */
export interface ZeroDteSamples extends TapeHeader {
  readonly samples: readonly ZeroDteSample[]
}

/** Hedge flow of the contracts that expire today by strike and minute, ascending. */
export interface StrikeMinutes extends TapeHeader {
  readonly minutes: readonly StrikeMinute[]
}

/** Hedging pressure of the session at the end of each half minute, ascending. */
export interface PressureSamples extends TapeHeader {
  /** The expiration that counts as next at the newest half minute. */
  readonly next: IsoDate | undefined
  /** Beginning of each half minute, milliseconds. */
  readonly t: Float64Array
  /** Sums since the open, whole cents: `PRESSURE_CELLS` for each half minute. */
  readonly cells: Float64Array
}

/** Hedge flow by strike: delta and gamma in whole cents, and the number of contracts. */
export interface StrikeFlow {
  readonly strike: Float64Array
  readonly signedDelta: Float64Array
  readonly signedGamma: Float64Array
  readonly contracts: Float64Array
}

/** Delta that dealers traded because of customers' calls and puts, whole cents. */
export interface HedgeLegs {
  readonly calls: number
  readonly puts: number
}

/** Hedging pressure of all expirations, sums in the order of `pressureClasses`. */
export interface PressureFlow {
  /** As `since` of `HedgeFlow`, for the sums of all expirations. */
  readonly since: number | undefined
  /** The expiration that counts as next. */
  readonly next: IsoDate | undefined
  readonly end: Instant
  readonly sum: Float64Array
  readonly inside: Float64Array
}

/**
 * Hedge flow of the contracts that expire on the day of the session, as far as greeks were known. `sum` covers
 * everything until `end`; `inside` is the part of it in the newest bar. A bar lasts half a minute for `legs`, a minute
 * for `strikes`.
 */
export interface HedgeFlow extends TapeHeader {
  /**
   * Time at which the first snapshot of greeks became known, microseconds. If it changes, the sums have started anew.
   */
  readonly since: number | undefined
  readonly legs: { readonly end: Instant; readonly sum: HedgeLegs; readonly inside: HedgeLegs }
  readonly strikes: { readonly end: Instant; readonly sum: StrikeFlow; readonly inside: StrikeFlow }
  /** Hedging pressure of all expirations, by half minutes. */
  readonly pressure: PressureFlow
}

/** All views by name. To add one, write a line here and in `flow/folds.ts`. */
export interface Views {
  positions: Positions
  totals: Totals
  prints: PrintWindow
  /** Large prints. They are kept for longer than other prints. */
  blocks: PrintWindow
  minutes: MinuteBuckets
  money: SessionMoney
  seconds: SecondBars
  groups: Groups
  hedge: HedgeFlow
  samples: ZeroDteSamples
  strikes: StrikeMinutes
  pressure: PressureSamples
}

export type ViewName = keyof Views

export interface ViewRequest<Name extends ViewName = ViewName> {
  readonly symbol: Ticker
  readonly kind: TapeKind
  readonly view: Name
}

export type PastViewName = 'minutes' | 'groups'

export interface PastViewRequest<Name extends PastViewName = PastViewName> extends ViewRequest<Name> {
  /** Sessions after the one that contains this moment are left out. */
  readonly to?: Instant
}

/** The newest complete sample of a symbol, the sample before it, and the source of its tape. */
export interface NewestSample extends NewestSamples {
  readonly symbol: Ticker
  readonly source: TapeSource
}

/**
 * Sums of one symbol over a window of minutes, all expirations together. They serve scans across symbols; the fields
 * are defined in `MinuteBuckets`.
 */
export interface WindowTotals {
  readonly symbol: Ticker
  /** USD per unit of the tape's prices. */
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

/** Values that a view needs in addition to the folded prints: its time, the series and the confidence. */
export interface ViewContext extends TapeHeader {
  /** Time of the view, milliseconds. Groups that are closed by then are part of the view. */
  readonly now: Instant
  /** The series (option contracts) to which the folded prints refer. */
  readonly series: Series
  /** Share of net volume that is assumed to change open interest, see `Positions`. */
  readonly confidence: number
}

export function tapeHeaderOf(moment: TapeHeader): TapeHeader {
  const { symbol, kind, session, source, unit, known, version, silent, part } = moment
  return { symbol, kind, session, source, unit, known, version, silent, ...(part && { part }) }
}
