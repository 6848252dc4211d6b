import type { DailyBar } from '../market/bar.ts'
import type { Chain } from '../market/chain.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import type { Dividend } from '../market/dividend.ts'
import type { EarningsSpan, EarningsStatement, EventRecord } from '../market/earnings.ts'
import type { FigureColumns, FigureRequest, FigureRow, WaitingDay } from '../market/figure-row.ts'
import type { TapeKind, TapeSource } from '../market/print.ts'
import type { HeldStrikes, StrikeRequest } from '../market/strike-sums.ts'
import type { Instant, IsoDate, Ticker, Unit } from '../market/units.ts'
import type { NewestSamples, StrikeMinute, ZeroDteSample } from '../market/zero-dte-sample.ts'

/** When a write began, by the clock of the archive: microseconds since 1970. */
export type WrittenAt = Unit<'microseconds'>

/** Whether this service recorded a snapshot or imported it from a file. */
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

/** A snapshot as the archive holds it. Any thread can turn it back into the chain with `decodeSnapshot`. */
export interface StoredSnapshot {
  readonly symbol: Ticker
  readonly asOf: Instant
  readonly fidelity: Fidelity
  /** Plain data that only the codec understands. */
  readonly packed: unknown
}

/** A stored snapshot without its content. */
export interface HeldMoment {
  readonly asOf: Instant
  readonly fidelity: Fidelity
}

/** Names a tape: the prints of a symbol in one session. */
export interface TapeId {
  readonly symbol: Ticker
  readonly kind: TapeKind
  readonly session: IsoDate
}

/** Rows of tapes to be written, as text by table. Any thread can make it with `TapeWriter`. */
export type TapeText = Readonly<Partial<Record<TapeTable, Uint8Array>>>
export type TapeTable = 'option_tape' | 'stock_tape' | 'tape_series' | 'tapes'

/** A tape as the archive holds it. Any thread can turn it back into prints with `decodeTape`. */
export interface StoredTape extends TapeId {
  readonly source: TapeSource
  readonly unit: number
  /** Differs when another tape was written in its place. */
  readonly written: WrittenAt
  /** Plain data that only the codec understands. */
  readonly packed: { readonly rows: Uint8Array; readonly series: Uint8Array }
}

/** Source and price unit of a tape, without its rows. */
export type TapeHead = Pick<StoredTape, 'source' | 'unit' | 'written'>

/**
 * A raw bar of the contracts that expire on its day, the strikes of the minute that ends with it, and the version of
 * the formulas.
 */
export interface ZeroDteRow {
  readonly symbol: Ticker
  readonly session: IsoDate
  readonly version: number
  readonly sample: ZeroDteSample
  readonly minute: StrikeMinute | undefined
}

/** A period in which snapshots of a symbol should have been recorded and were not. */
export interface Gap {
  readonly symbol: Ticker
  readonly from: Instant
  readonly to: Instant
  readonly reason: string
}

export interface CoveredDay {
  readonly date: IsoDate
  readonly snapshots: number
  /** The moment of the newest snapshot. */
  readonly last: Instant
  readonly hasUnderlying: boolean
  /** False for an index that is recorded for its level alone. */
  readonly hasOptions: boolean
  readonly hasOpenInterest: boolean
  readonly hasFit: boolean
  readonly hasTape: boolean
  readonly fidelity: Fidelity
  readonly missing: readonly Absence[]
}

/** Coverage of one symbol: its days with snapshots, ascending, and when the newest row was written. */
export interface SymbolCoverage {
  readonly symbol: Ticker
  readonly days: readonly CoveredDay[]
  readonly updatedAt: Instant
}

/** A session whose record was made by older formulas, and the moment of its last snapshot, if any. */
export interface OutdatedDay {
  readonly symbol: Ticker
  readonly date: IsoDate
  readonly last: Instant | undefined
}

/**
 * The archive: what was observed, with the moment it happened. Every read for a moment returns only rows visible by
 * then, so the same question has the same answer however much is written later. A write resolves when its rows would
 * survive a crash. Writing the same row again leaves one.
 */
export interface HistoryStore {
  /** Rejects with an UnwritableSnapshot when one of them can never be stored. */
  writeSnapshots(snapshots: readonly ChainSnapshot[]): Promise<void>
  writeBars(symbol: Ticker, bars: readonly DailyBar[], fidelity: Fidelity): Promise<void>
  /** Records carry the version of their formulas. A day is read by the newest version. */
  writeRecords(symbol: Ticker, records: readonly DailyRecord[]): Promise<void>
  /** Replaces all dividends of the same ex-dates. */
  writeDividends(symbol: Ticker, dividends: readonly Dividend[]): Promise<void>
  /** Replaces statements of the same symbol, day and moment. */
  writeEarnings(statements: readonly EarningsStatement[]): Promise<void>
  /** Replaces records of the same session before a report. */
  writeEventRecords(symbol: Ticker, records: readonly EventRecord[]): Promise<void>
  /** Replaces rows at the same position of the tape. */
  writeTapes(text: TapeText): Promise<void>
  /** Replaces rows of the same symbol and moment. */
  writeZeroDte(rows: readonly ZeroDteRow[]): Promise<void>
  /**
   * A moment that divides writes: rows of earlier writes can be read when this resolves, and rows that cannot be read
   * yet are of later writes.
   */
  clock(): Promise<WrittenAt>
  /**
   * Rows carry the version of their formulas and `knownAt`: the clock read before their inputs were read. A row of the
   * same symbol and moment is replaced unless it has newer inputs.
   */
  writeFigures(rows: readonly FigureRow[], knownAt: WrittenAt): Promise<void>
  /** Deletes a whole tape, so that another one can be written in its place. */
  deleteTape(id: TapeId): Promise<void>
  writeGap(gap: Gap): Promise<void>

  /** The newest snapshot of a symbol at or before `at`, on the New York date of `at`. */
  snapshot(symbol: Ticker, at: Instant): Promise<StoredSnapshot | undefined>
  /** Moments of the snapshots of a symbol in [from, to), ascending. */
  moments(symbol: Ticker, from: Instant, to: Instant): Promise<readonly HeldMoment[]>
  /** The last snapshot of a session, at any hour. */
  closingSnapshot(symbol: Ticker, session: IsoDate): Promise<StoredSnapshot | undefined>
  /** The newest `count` bars of sessions that closed at or before `at`, ascending. */
  bars(symbol: Ticker, at: Instant, count: number): Promise<readonly DailyBar[]>
  /** The newest `count` records dated before `date`, ascending. */
  records(symbol: Ticker, date: IsoDate, count: number): Promise<readonly DailyRecord[]>
  /** Dividends known by `at`, past ones included, ascending by ex-date. */
  dividends(symbol: Ticker, at: Instant): Promise<readonly Dividend[]>
  /** Statements made by `at` about reports from a date on, for one symbol or all. */
  earnings(asked: EarningsSpan, at: Instant): Promise<readonly EarningsStatement[]>
  /** Records of the closes around reports, by the present formulas. */
  eventRecords(symbol: Ticker): Promise<readonly EventRecord[]>

  /**
   * Rows by the present formulas whose inputs are the newest ones: the snapshot, dividends, the close that tells the
   * rates, and the tape.
   */
  figures(request: FigureRequest): Promise<FigureColumns>
  /**
   * Snapshots before a moment that lack such a row, or whose row lacks the figures of an existing tape. For one symbol
   * or all, by day, newest first.
   */
  waitingFigures(before: Instant, symbol?: Ticker): Promise<readonly WaitingDay[]>
  /**
   * One figure by strike, in whole cents or hundredths of a contract: from the last snapshot in each interval of a
   * session up to a moment, ascending.
   */
  strikes(request: StrikeRequest, at: Instant): Promise<readonly HeldStrikes[]>

  tape(id: TapeId): Promise<StoredTape | undefined>
  /** Source and unit of a tape, without its rows. */
  tapeHead(id: TapeId): Promise<TapeHead | undefined>
  /** Symbols with a tape of a session, ascending. */
  tapedSymbols(kind: TapeKind, session: IsoDate): Promise<readonly Ticker[]>
  /** Raw bars and strike minutes of a session that were complete by `at`, ascending. */
  zeroDteSamples(symbol: Ticker, session: IsoDate, at: Instant): Promise<readonly ZeroDteSample[]>
  zeroDteMinutes(symbol: Ticker, session: IsoDate, at: Instant): Promise<readonly StrikeMinute[]>
  /** The newest two raw bars of every symbol, ascending by symbol. */
  newestSamples(session: IsoDate, at: Instant): Promise<ReadonlyMap<Ticker, NewestSamples>>

  /** Symbols with at least one snapshot, ascending. */
  symbols(): Promise<readonly Ticker[]>
  /** Coverage of a symbol. Undefined: it has no snapshot. */
  coverage(symbol: Ticker): Promise<SymbolCoverage | undefined>
  /** Coverage of every symbol with a snapshot, ascending; costs as much as that of one symbol. */
  coverages(): Promise<readonly SymbolCoverage[]>
  /** Gaps that overlap [from, to), ascending, for one symbol or all. */
  gaps(symbol: Ticker | undefined, from: Instant, to: Instant): Promise<readonly Gap[]>

  /**
   * Deletes recorded snapshots older than `before` with their figures, and recorded tapes and raw bars of sessions
   * before its date. Imports stay. `keepCloses` spares the last snapshot of each session.
   */
  deleteBefore(before: Instant, options: { readonly keepCloses: boolean }): Promise<void>
  /** Rows and bytes on disk by table, for the operator. */
  size(): Promise<readonly { readonly table: string; readonly rows: number; readonly bytes: number }[]>
  close(): Promise<void>
}
