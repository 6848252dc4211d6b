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

/** When a write began by the clock of the archive, microseconds since 1970. */
export type WrittenAt = Unit<'microseconds'>

/** Whether the live service recorded a snapshot itself, or it was imported from a file of another recording. */
export type Fidelity = 'recorded' | 'imported'

/** What a source of snapshots may never have carried. */
export const absences = [
  'quote_sizes',
  'option_volume',
  'trade_tape',
  'open_interest',
  'svi_fits',
  'macro_intraday'
] as const
export type Absence = (typeof absences)[number]

/** A chain at one moment, as it is written to the archive. It happened, and became visible, at `chain.asOf`. */
export interface ChainSnapshot {
  readonly chain: Chain
  readonly fidelity: Fidelity
  readonly missing: readonly Absence[]
}

/** A snapshot as the archive holds it: bytes that any thread turns back into the chain (`decodeSnapshot`). */
export interface StoredSnapshot {
  readonly symbol: Ticker
  readonly asOf: Instant
  readonly fidelity: Fidelity
  /** Plain data that only the codec reads. */
  readonly packed: unknown
}

/** A snapshot that is held, without its content. */
export interface HeldMoment {
  readonly asOf: Instant
  readonly fidelity: Fidelity
}

/** Which tape: the prints of a symbol in one session. */
export interface TapeId {
  readonly symbol: Ticker
  readonly kind: TapeKind
  readonly session: IsoDate
}

/** Rows of tapes as they are written, by the table they go to: text that any thread makes (`TapeWriter`). */
export type TapeText = Readonly<Partial<Record<TapeTable, Uint8Array>>>
export type TapeTable = 'option_tape' | 'stock_tape' | 'tape_series' | 'tapes'

/** A tape as the archive holds it: bytes that any thread turns back into prints (`decodeTape`). */
export interface StoredTape extends TapeId {
  readonly source: TapeSource
  readonly unit: number
  /** Another tape in its place has another one. */
  readonly written: WrittenAt
  /** Plain data that only the codec reads. */
  readonly packed: { readonly rows: Uint8Array; readonly series: Uint8Array }
}

/** What a tape is, without its rows. */
export type TapeHead = Pick<StoredTape, 'source' | 'unit' | 'written'>

/** A raw bar of what expires on its day, the strikes of the minute that ends with it, and the version of their formulas. */
export interface ZeroDteRow {
  readonly symbol: Ticker
  readonly session: IsoDate
  readonly version: number
  readonly sample: ZeroDteSample
  readonly minute: StrikeMinute | undefined
}

/** A stretch of time in which snapshots of a symbol should have been written and were not. */
export interface Gap {
  readonly symbol: Ticker
  readonly from: Instant
  readonly to: Instant
  readonly reason: string
}

/** What the archive holds of one symbol on one day. */
export interface CoveredDay {
  readonly date: IsoDate
  readonly snapshots: number
  /** The moment of the newest of them. */
  readonly last: Instant
  readonly hasUnderlying: boolean
  /** False of an index that is recorded for its level alone. */
  readonly hasOptions: boolean
  readonly hasOpenInterest: boolean
  readonly hasFit: boolean
  readonly hasTape: boolean
  readonly fidelity: Fidelity
  readonly missing: readonly Absence[]
}

/** What the archive holds of one symbol: days with anything recorded, ascending, and when the newest row was written. */
export interface SymbolCoverage {
  readonly symbol: Ticker
  readonly days: readonly CoveredDay[]
  readonly updatedAt: Instant
}

/** A session whose record older formulas made, and the moment of its last snapshot; undefined without one. */
export interface OutdatedDay {
  readonly symbol: Ticker
  readonly date: IsoDate
  readonly last: Instant | undefined
}

/**
 * The archive: what was observed, with the moment it happened. Whatever is asked for a moment rests on rows visible by
 * then and on no other, so the same question has the same answer however much is written later.
 * A write resolves once its rows would survive a crash. Writing the same row again leaves one.
 */
export interface HistoryStore {
  /** Rejects with an UnwritableSnapshot where one of them has no form in the archive, however often it is tried. */
  writeSnapshots(snapshots: readonly ChainSnapshot[]): Promise<void>
  writeBars(symbol: Ticker, bars: readonly DailyBar[], fidelity: Fidelity): Promise<void>
  /** Records carry the version of the formulas that made them; reading gives those of the newest version of a day. */
  writeRecords(symbol: Ticker, records: readonly DailyRecord[]): Promise<void>
  /** What is written of an ex-date takes the place of everything that was there of it. */
  writeDividends(symbol: Ticker, dividends: readonly Dividend[]): Promise<void>
  /** A statement of the same symbol, day and moment is replaced. */
  writeEarnings(statements: readonly EarningsStatement[]): Promise<void>
  /** A record of the same session before a report is replaced. */
  writeEventRecords(symbol: Ticker, records: readonly EventRecord[]): Promise<void>
  /** Rows that are there already, by their place on the tape, are replaced. */
  writeTapes(text: TapeText): Promise<void>
  /** Rows that are there already, by symbol and moment, are replaced. */
  writeZeroDte(rows: readonly ZeroDteRow[]): Promise<void>
  /**
   * A moment that parts what is written: a write of an earlier moment can be read once this resolves, and one that cannot be
   * read by then has a later moment.
   */
  clock(): Promise<WrittenAt>
  /**
   * Rows carry the version of the formulas that made them, and `knownAt`: what the clock said before anything that they rest
   * on was read. A row that is there already, by symbol and moment, is replaced unless it rests on newer things.
   */
  writeFigures(rows: readonly FigureRow[], knownAt: WrittenAt): Promise<void>
  /** Deletes a tape as a whole, so that another one can be written in its place. */
  deleteTape(id: TapeId): Promise<void>
  writeGap(gap: Gap): Promise<void>

  /** The newest snapshot of a symbol at or before `at` on the New York date of `at`. Undefined: none. */
  snapshot(symbol: Ticker, at: Instant): Promise<StoredSnapshot | undefined>
  /** The moments of the snapshots of a symbol in [from, to), ascending. */
  moments(symbol: Ticker, from: Instant, to: Instant): Promise<readonly HeldMoment[]>
  /** The last snapshot of a session, whatever its hour. */
  closingSnapshot(symbol: Ticker, session: IsoDate): Promise<StoredSnapshot | undefined>
  /** Bars of sessions whose close is at or before `at`, ascending, the newest `count`. */
  bars(symbol: Ticker, at: Instant, count: number): Promise<readonly DailyBar[]>
  /** Records dated strictly before `date`, ascending, the newest `count`. */
  records(symbol: Ticker, date: IsoDate, count: number): Promise<readonly DailyRecord[]>
  /** Dividends that were known by `at`, ascending by ex-date, past ones included. */
  dividends(symbol: Ticker, at: Instant): Promise<readonly Dividend[]>
  /** What was said by `at` of reports dated from a day on: of one symbol, or of all where none is named. */
  earnings(asked: EarningsSpan, at: Instant): Promise<readonly EarningsStatement[]>
  /** What the closes around reports of a symbol said, those by formulas of the present version. */
  eventRecords(symbol: Ticker): Promise<readonly EventRecord[]>

  /**
   * Rows by formulas of the present version that rest on the newest of everything they are made of: the snapshot, dividends,
   * the close that tells the rates, and the tape.
   */
  figures(request: FigureRequest): Promise<FigureColumns>
  /**
   * Snapshots taken before a moment that have no such row, or one without the figures made of prints though there is a tape
   * of their session: of one symbol, or of all where none is named, by day, newest first.
   */
  waitingFigures(before: Instant, symbol?: Ticker): Promise<readonly WaitingDay[]>
  /**
   * One figure by strike at the snapshots of a session by a moment, the last of each so many milliseconds since its open,
   * ascending: of such rows, to whole cents and hundredths of a contract.
   */
  strikes(request: StrikeRequest, at: Instant): Promise<readonly HeldStrikes[]>

  /** A tape as a whole. Undefined where nothing was recorded of it. */
  tape(id: TapeId): Promise<StoredTape | undefined>
  /** What a tape is, without its rows. Undefined where nothing was recorded of it. */
  tapeHead(id: TapeId): Promise<TapeHead | undefined>
  /** Symbols with a tape of a session, ascending. */
  tapedSymbols(kind: TapeKind, session: IsoDate): Promise<readonly Ticker[]>
  /** Raw bars of a session that were complete by `at`, and the strikes of its minutes that were, both ascending. */
  zeroDteSamples(symbol: Ticker, session: IsoDate, at: Instant): Promise<readonly ZeroDteSample[]>
  zeroDteMinutes(symbol: Ticker, session: IsoDate, at: Instant): Promise<readonly StrikeMinute[]>
  /** The newest two of those bars of every symbol that has any, ascending by symbol. */
  newestSamples(session: IsoDate, at: Instant): Promise<ReadonlyMap<Ticker, NewestSamples>>

  /** Every symbol with at least one snapshot, ascending. */
  symbols(): Promise<readonly Ticker[]>
  /** What is held of a symbol; undefined where it has not a single snapshot. */
  coverage(symbol: Ticker): Promise<SymbolCoverage | undefined>
  /** The same of every symbol with at least one snapshot, ascending, for the price of one. */
  coverages(): Promise<readonly SymbolCoverage[]>
  /** Gaps of a symbol, or of all where none is named, that overlap [from, to), ascending. */
  gaps(symbol: Ticker | undefined, from: Instant, to: Instant): Promise<readonly Gap[]>

  /**
   * Deletes recorded snapshots older than `before` with their figures, and recorded tapes and raw bars of sessions before its
   * date; what was imported stays. Keeps the last snapshot of each session when `keepCloses`.
   */
  deleteBefore(before: Instant, options: { readonly keepCloses: boolean }): Promise<void>
  /** Rows and bytes on disk, by table, for the operator. */
  size(): Promise<readonly { readonly table: string; readonly rows: number; readonly bytes: number }[]>
  close(): Promise<void>
}
