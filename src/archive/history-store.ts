import type { SymbolBandErrors } from '../market/band-pool.ts'
import type { DailyBar } from '../market/bar.ts'
import type { Chain } from '../market/chain.ts'
import type { SessionCustomers } from '../market/customer-sums.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import type { Dividend } from '../market/dividend.ts'
import type { EarningsSpan, EarningsStatement, EventRecord } from '../market/earnings.ts'
import type { FigureColumns, FigureRequest, FigureRow, WaitingDay } from '../market/figure-row.ts'
import type { PastPressure, PressureRow, PressureSample } from '../market/hedge-pressure.ts'
import type { TapeKind, TapeSource } from '../market/print.ts'
import type { Split } from '../market/split.ts'
import type { HeldStrikes, StrikeRequest } from '../market/strike-sums.ts'
import type { Instant, IsoDate, Ticker, Unit } from '../market/units.ts'
import type { NewestSamples, StrikeMinute, ZeroDteSample } from '../market/zero-dte-sample.ts'

/** Time at which a write began, by the clock of the archive: microseconds since 1970. */
export type WrittenAt = Unit<'microseconds'>

/** Whether this service recorded the data or imported it from a file. */
export type Fidelity = 'recorded' | 'imported'

/** Data that a source of snapshots may lack. */
export const absences = [
  'quote_sizes',
  'option_volume',
  'trade_tape',
  'open_interest',
  'svi_fits',
  'macro_intraday'
] as const
export type Absence = (typeof absences)[number]

/** A chain to be written to the archive. It was observed, and became visible, at `chain.asOf`. */
export interface ChainSnapshot {
  readonly chain: Chain
  readonly fidelity: Fidelity
  readonly missing: readonly Absence[]
}

/** A snapshot as stored in the archive. `decodeSnapshot` restores the chain on any thread. */
export interface StoredSnapshot {
  readonly symbol: Ticker
  readonly asOf: Instant
  readonly fidelity: Fidelity
  /** Plain data that only the codec understands. */
  readonly packed: unknown
}

/** Moment of a stored snapshot, and whether it was recorded or imported. */
export interface HeldMoment {
  readonly asOf: Instant
  readonly fidelity: Fidelity
}

/** Identifies a tape: the prints of one kind, symbol and session. */
export interface TapeId {
  readonly symbol: Ticker
  readonly kind: TapeKind
  readonly session: IsoDate
}

/** Tape rows to be written, as text by table. Made by `TapeWriter`, on any thread. */
export type TapeText = Readonly<Partial<Record<TapeTable, Uint8Array>>>
export type TapeTable = 'option_tape' | 'stock_tape' | 'tape_series' | 'tapes'

/** A tape as stored in the archive. `decodeTape` restores the prints on any thread. */
export interface StoredTape extends TapeId {
  readonly source: TapeSource
  readonly unit: number
  /** Changes if the tape is replaced by another one. */
  readonly written: WrittenAt
  /** Plain data that only the codec understands. The rows come in pieces, in order; `end` is the position after the last. */
  readonly packed: { readonly rows: readonly Uint8Array[]; readonly end: number; readonly series: Uint8Array }
}

/** Source and price unit of a tape, without its rows. */
export type TapeHead = Pick<StoredTape, 'source' | 'unit' | 'written'>

export interface SessionMoment {
  readonly session: IsoDate
  readonly at: Instant
}

/** A recorded 0DTE bar, the strikes of the minute that ends with it, and the version of the formulas. */
export interface ZeroDteRow {
  readonly symbol: Ticker
  readonly session: IsoDate
  readonly version: number
  readonly sample: ZeroDteSample
  readonly minute: StrikeMinute | undefined
}

/** A period in which snapshots of a symbol should have been recorded but were not. */
export interface Gap {
  readonly symbol: Ticker
  readonly from: Instant
  readonly to: Instant
  readonly reason: string
}

export interface CoveredDay {
  readonly date: IsoDate
  readonly snapshots: number
  /** Moment of the newest snapshot of the day. */
  readonly last: Instant
  readonly hasUnderlying: boolean
  /** False for an index of which only the level is recorded. */
  readonly hasOptions: boolean
  readonly hasOpenInterest: boolean
  readonly hasFit: boolean
  readonly hasTape: boolean
  readonly fidelity: Fidelity
  readonly missing: readonly Absence[]
}

/** Coverage of one symbol: its days with snapshots, ascending, and when its newest row was written. */
export interface SymbolCoverage {
  readonly symbol: Ticker
  readonly days: readonly CoveredDay[]
  readonly updatedAt: Instant
}

/** A session whose daily record was computed with older formulas, and the moment of its last snapshot, if any. */
export interface OutdatedDay {
  readonly symbol: Ticker
  readonly date: IsoDate
  readonly last: Instant | undefined
}

/**
 * The archive: everything observed, with the moment at which it became visible. A read for a moment returns only rows
 * visible by then, so later writes never change its result. A write resolves when its rows would survive a crash.
 * Writing the same row again leaves one row.
 */
export interface HistoryStore {
  /** Rejects with an UnwritableSnapshot if one of the snapshots can never be stored. */
  writeSnapshots(snapshots: readonly ChainSnapshot[]): Promise<void>
  writeBars(symbol: Ticker, bars: readonly DailyBar[], fidelity: Fidelity): Promise<void>
  /** Writes daily records with the version of their formulas. Reads return the newest version of each day. */
  writeRecords(symbol: Ticker, records: readonly DailyRecord[]): Promise<void>
  /** Writes dividends; all existing dividends of the same ex-dates are replaced. */
  writeDividends(symbol: Ticker, dividends: readonly Dividend[]): Promise<void>
  /** Writes splits; an existing split of the same date is replaced, and a ratio of 1 cancels it. */
  writeSplits(symbol: Ticker, splits: readonly Split[]): Promise<void>
  /**
   * Writes statements about earnings reports. A statement replaces an existing one of the same symbol and report date
   * that became known at the same moment.
   */
  writeEarnings(statements: readonly EarningsStatement[]): Promise<void>
  /**
   * Writes records of the closes around earnings reports. A record replaces an existing one with the same last session
   * before the report.
   */
  writeEventRecords(symbol: Ticker, records: readonly EventRecord[]): Promise<void>
  /** Writes rows of tapes; existing rows at the same position of a tape are replaced. */
  writeTapes(text: TapeText): Promise<void>
  /** Writes 0DTE bars; existing rows of the same symbol and moment are replaced. */
  writeZeroDte(rows: readonly ZeroDteRow[]): Promise<void>
  /** Writes hedging pressure; existing rows of the same symbol and moment are replaced. */
  writePressure(rows: readonly PressureRow[]): Promise<void>
  /** Writes customer sums of sessions; an existing row of the same symbol and session is replaced. */
  writeCustomers(rows: readonly SessionCustomers[]): Promise<void>
  /**
   * Returns a time that separates writes. Rows with an earlier stamp can be read when this resolves; rows that cannot
   * be read yet will have a later stamp.
   */
  clock(): Promise<WrittenAt>
  /**
   * Writes figures with the version of their formulas. `knownAt` is the result of `clock` taken before the inputs of
   * the figures were read. A row replaces an existing one of the same symbol and moment, unless that one has newer
   * inputs.
   */
  writeFigures(rows: readonly FigureRow[], knownAt: WrittenAt): Promise<void>
  /** Deletes a whole tape, so that another one can be written in its place. */
  deleteTape(id: TapeId): Promise<void>
  writeGap(gap: Gap): Promise<void>

  /** Newest snapshot of a symbol at or before `at`, on the same New York date. */
  snapshot(symbol: Ticker, at: Instant): Promise<StoredSnapshot | undefined>
  /** Moments of a symbol's snapshots in [from, to), ascending. */
  moments(symbol: Ticker, from: Instant, to: Instant): Promise<readonly HeldMoment[]>
  /** Last snapshot of a session, even if it was taken long before the close. */
  closingSnapshot(symbol: Ticker, session: IsoDate): Promise<StoredSnapshot | undefined>
  /**
   * Newest `count` bars of sessions that closed at or before `at`, ascending. They are adjusted for the splits up to the
   * New York date of `at`, and for no later one.
   */
  bars(symbol: Ticker, at: Instant, count: number): Promise<readonly DailyBar[]>
  /** Newest `count` records dated before `date`, ascending, with prices adjusted for the splits up to `date`. */
  records(symbol: Ticker, date: IsoDate, count: number): Promise<readonly DailyRecord[]>
  /** Errors of the bands of all symbols, from their records dated from `from` and before `before`, ascending by date. */
  bandErrors(from: IsoDate, before: IsoDate): Promise<readonly SymbolBandErrors[]>
  /** Dividends known by `at`, including paid ones, ascending by ex-date. */
  dividends(symbol: Ticker, at: Instant): Promise<readonly Dividend[]>
  /** All splits of a symbol that are not cancelled, those to come included, ascending. */
  splits(symbol: Ticker): Promise<readonly Split[]>
  /** Statements known by `at` about earnings reports, for one symbol or all, from a given report date on. */
  earnings(asked: EarningsSpan, at: Instant): Promise<readonly EarningsStatement[]>
  /** Records of the sessions before and after each earnings report, computed with the current formulas. */
  eventRecords(symbol: Ticker): Promise<readonly EventRecord[]>

  /**
   * Reads figures computed with the current formulas from the newest inputs: the snapshot, the dividends, the close
   * that gives the interest rates, and the tape.
   */
  figures(request: FigureRequest): Promise<FigureColumns>
  /**
   * Snapshots before a moment whose figures must be computed: they are missing or outdated, or leave out the prints of
   * the session although it has a tape. Grouped by day, newest day first. Without a symbol, of all symbols.
   */
  waitingFigures(before: Instant, symbol?: Ticker): Promise<readonly WaitingDay[]>
  /**
   * One figure for every strike, from the last snapshot in each interval of a session up to `at`. Intervals are in
   * ascending order. Values are in USD, or in contracts for open interest, with two decimals.
   */
  strikes(request: StrikeRequest, at: Instant): Promise<readonly HeldStrikes[]>

  tape(id: TapeId): Promise<StoredTape | undefined>
  tapeHead(id: TapeId): Promise<TapeHead | undefined>
  /** Symbols that have a tape of this kind in a session, ascending. */
  tapedSymbols(kind: TapeKind, session: IsoDate): Promise<readonly Ticker[]>
  /** Sessions in which a symbol has a tape of option prints, ascending. */
  tapedSessions(symbol: Ticker): Promise<readonly IsoDate[]>
  /**
   * 0DTE bars of a session that were complete by `at`, ascending. A bar describes the contracts that expire that day.
   */
  zeroDteSamples(symbol: Ticker, session: IsoDate, at: Instant): Promise<readonly ZeroDteSample[]>
  zeroDteMinutes(symbol: Ticker, session: IsoDate, at: Instant): Promise<readonly StrikeMinute[]>
  /** The two newest 0DTE bars of every symbol, ascending by symbol. */
  newestSamples(session: IsoDate, at: Instant): Promise<ReadonlyMap<Ticker, NewestSamples>>

  /** Hedging pressure of a session at every half minute that was over by `at`, ascending. */
  pressure(symbol: Ticker, session: IsoDate, at: Instant): Promise<readonly PressureSample[]>
  /** The last hedging pressure of each session that was over by its moment; sessions without any are left out. */
  pressureAt(symbol: Ticker, moments: readonly SessionMoment[]): Promise<readonly PastPressure[]>

  /** Customer sums of a symbol's sessions from `from` to `to`, both included, ascending. */
  customers(symbol: Ticker, from: IsoDate, to: IsoDate): Promise<readonly SessionCustomers[]>

  symbols(): Promise<readonly Ticker[]>
  /** Coverage of a symbol; undefined if it has no snapshot. */
  coverage(symbol: Ticker): Promise<SymbolCoverage | undefined>
  /**
   * Coverage of every symbol with a snapshot, ascending by symbol. Takes no more queries than the coverage of one
   * symbol.
   */
  coverages(): Promise<readonly SymbolCoverage[]>
  /** Gaps in recording that overlap [from, to), ascending. If `symbol` is undefined, of all symbols. */
  gaps(symbol: Ticker | undefined, from: Instant, to: Instant): Promise<readonly Gap[]>

  /**
   * Deletes recorded snapshots older than `before` with their figures, and recorded tapes, 0DTE bars and hedging pressure of sessions
   * before its date. Imported data stays. `keepCloses` spares the last snapshot of each session.
   */
  deleteBefore(before: Instant, options: { readonly keepCloses: boolean }): Promise<void>
  size(): Promise<readonly { readonly table: string; readonly rows: number; readonly bytes: number }[]>
  close(): Promise<void>
}
