import type { ChainSnapshot, Fidelity, HistoryStore, TapeId } from '../archive/history-store.ts'
import type { DailyBar } from '../market/bar.ts'
import type { Dividend } from '../market/dividend.ts'
import type { EarningsStatement } from '../market/earnings.ts'
import { easternDate } from '../market/eastern.ts'
import type { Split } from '../market/split.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { Tape } from '../tape/tape.ts'
import type { TapeRows } from '../tape/tape-batch.ts'

/**
 * What became of rows that are wrong or doubted: they were not used, they were set aside in a file that can be accepted,
 * or they were written in spite of the doubt.
 */
export const rejectionOutcomes = ['refused', 'set aside', 'written'] as const
export type RejectionOutcome = (typeof rejectionOutcomes)[number]

/** A row or file that is wrong or doubted, and the reason. Lines are counted from 1; the heading counts. */
export interface Rejection {
  readonly file: string
  readonly line: number | undefined
  readonly reason: string
  /** Kind of the reason: reasons of one kind and file are counted together in the report. */
  readonly kind?: string | undefined
  readonly outcome: RejectionOutcome
}

/** Rows that are doubted, as lines of a table that the same import reads without a map. */
export interface DoubtedRows {
  readonly file: string
  readonly line: number | undefined
  readonly kind: string
  readonly reason: string
  /** Heading of the table, without the end of its line. */
  readonly heading: string
  readonly lines: readonly string[]
}

export interface ProgressDetails {
  /** Contracts read so far, of an import that reads everything before it writes. */
  readonly read?: number | undefined
  /** Symbol that a backfill is making. */
  readonly symbol?: Ticker | undefined
  /** Snapshots of that symbol which stand in the archive with what was made of them. */
  readonly stored?: number | undefined
  /** Symbols of which everything stands in the archive that a backfill makes before the days of all symbols. */
  readonly early?: readonly Ticker[] | undefined
}

export type Note =
  | ({
      readonly kind: 'progress'
      /** File, symbol or session that the job is working on. */
      readonly what: string
      /** Work done so far, in the unit of `total`, e.g. bytes of the job's files. */
      readonly done: number
      readonly total: number
      readonly tally: Tally
    } & ProgressDetails)
  | { readonly kind: 'rejected'; readonly rejections: readonly Rejection[] }
  /** Rows that were set aside. */
  | { readonly kind: 'doubted'; readonly heading: string; readonly lines: readonly string[] }
  /** Text about what an import has understood of its files, before it writes anything. */
  | { readonly kind: 'understood'; readonly text: string }
  /** Sentence that the operator should see at once. */
  | { readonly kind: 'warning'; readonly text: string }

/** Numbers of items written to the archive so far. A row is one contract of one snapshot. */
export interface Tally {
  readonly snapshots: number
  readonly rows: number
  readonly bars: number
  readonly dividends: number
  readonly splits: number
  /** Number of statements about earnings reports. */
  readonly earnings: number
  /** Number of prints and cancels written. `tapes` is the number of tapes that hold them. */
  readonly prints: number
  readonly tapes: number
  readonly rejected: number
  /** Number of rows skipped by rule: adjusted or expired contracts, repeated prints, rows already present. */
  readonly leftOut: number
  /** Number of rows set aside because they are doubted. */
  readonly doubted: number
  /** Number of snapshots and bars that were written although they are doubted. */
  readonly marked: number
  /** Number of snapshots skipped because the running service itself recorded one of the same time. */
  readonly kept: number
}

/**
 * Writes imported data to the archive. A job may be stopped between two snapshots; everything added before is still
 * written.
 */
export interface ImportWriter {
  readonly signal: AbortSignal
  /** Adds a snapshot. Waits while the archive cannot keep up. */
  snapshot(snapshot: ChainSnapshot): Promise<void>
  bars(symbol: Ticker, bars: readonly DailyBar[], fidelity: Fidelity): Promise<void>
  /** Adds dividends. For each ex-date in the list, the list must hold all dividends of that date. */
  dividends(symbol: Ticker, dividends: readonly Dividend[]): Promise<void>
  splits(symbol: Ticker, splits: readonly Split[]): Promise<void>
  earnings(statements: readonly EarningsStatement[]): Promise<void>
  /** Replaces existing tapes by new rows. `ids` names the tapes to delete first. */
  tapes(ids: readonly TapeId[], rows: Iterable<TapeRows> | AsyncIterable<TapeRows>): Promise<void>
  reject(file: string, line: number | undefined, reason: string): void
  /** Reports rows that are doubted, and hands them over to be kept for the operator. */
  setAside(doubted: DoubtedRows): Promise<void>
  /** Reports data that is written in spite of a doubt. */
  mark(file: string, line: number | undefined, reason: string, kind?: string): void
  /** Counts rows skipped by rule. The operator is told at the end how many were skipped for a stated reason. */
  leaveOut(count: number, because?: string): void
  understood(text: string): Promise<void>
  progress(what: string, done: number, total: number, details?: ProgressDetails): Promise<void>
  /** Begins to write everything added so far. Resolves once earlier writes are over. */
  flush(): Promise<void>
  /** Resolves once everything added so far is written. */
  drain(): Promise<void>
  finish(): Promise<Tally>
}

export interface ImportWriterOptions {
  readonly store: Pick<
    HistoryStore,
    'writeSnapshots' | 'writeBars' | 'writeDividends' | 'writeSplits' | 'writeEarnings' | 'deleteTape' | 'writeTapes'
  >
  /**
   * Receives notes about progress and problems. The writer waits for it, so a slow listener slows down the import and
   * does not fill memory.
   */
  readonly onNote: (note: Note) => void | Promise<void>
  readonly signal: AbortSignal
  /**
   * Returns the times of a day at which the running service itself recorded snapshots. Imported snapshots of the same
   * times are skipped. If this function is absent, imports replace recorded snapshots.
   */
  readonly recorded?: ((symbol: Ticker, date: IsoDate) => Promise<ReadonlySet<Instant>>) | undefined
  /** Number of contract rows that starts a write if none is running. */
  readonly rowsPerWrite?: number | undefined
  /** Called after each write, when its snapshots can be read from the archive. The next write waits for it. */
  readonly onWritten?: ((snapshots: readonly ChainSnapshot[]) => Promise<void>) | undefined
}

interface SymbolBars {
  readonly symbol: Ticker
  readonly fidelity: Fidelity
  readonly list: DailyBar[]
}

/** Contract rows per write by default. A smaller number would make many small writes. */
const ROWS_PER_WRITE = 50_000
/** Maximum number of contract rows that wait while a write is running, in writes: their text takes tens of megabytes. */
const MAX_WAITING = 2
/** Memory that a snapshot needs apart from its contracts, expressed as a number of contract rows. */
const SNAPSHOT_ROWS = 250
export const emptyTally: Tally = {
  snapshots: 0,
  rows: 0,
  bars: 0,
  dividends: 0,
  splits: 0,
  earnings: 0,
  prints: 0,
  tapes: 0,
  rejected: 0,
  leftOut: 0,
  doubted: 0,
  marked: 0,
  kept: 0
}

/**
 * Number of bars that starts a write. It is high because each symbol is written separately, and a write costs the same
 * for one bar as for thousands.
 */
const MAX_BARS = 25_000
const BATCH_REJECTIONS = 500
const BATCH_DOUBTED = 5000

/**
 * Creates a writer that collects snapshots and bars in batches. It writes one batch while the next is being read, so at
 * most two are in memory. Snapshots are written in the order in which they were read, and so are bars.
 */
export function createImportWriter(options: ImportWriterOptions): ImportWriter {
  const { store, onNote, signal, recorded, onWritten, rowsPerWrite = ROWS_PER_WRITE } = options
  const tally: { -readonly [Name in keyof Tally]: number } = { ...emptyTally }
  let snapshots: ChainSnapshot[] = []
  let rows = 0
  let bars: SymbolBars[] = []
  let barCount = 0
  const leftOut = new Map<string, number>()
  let rejections: Rejection[] = []
  const stored = new Map<Ticker, number>()
  let isWriting = false
  let writing: Promise<void> = Promise.resolve()
  let reporting: Promise<void> = Promise.resolve()
  /** Reports the progress again, with what was stored since. */
  let report: (() => void) | undefined

  /** Times at which the service recorded snapshots, cached for the symbol and day that were checked last. */
  let recordedDay = { name: '', moments: Promise.resolve<ReadonlySet<Instant>>(new Set()) }

  async function isRecorded({ chain: { symbol, asOf }, fidelity }: ChainSnapshot): Promise<boolean> {
    if (recorded === undefined || fidelity === 'recorded') return false
    const date = easternDate(asOf)
    const name = `${symbol} ${date}`
    if (recordedDay.name !== name) recordedDay = { name, moments: recorded(symbol, date) }
    return (await recordedDay.moments).has(asOf)
  }

  async function begin(write: () => Promise<void>): Promise<void> {
    await writing
    isWriting = true
    writing = write().finally(() => {
      isWriting = false
    })
    writing.catch(() => {}) // the rejection surfaces at the next await
  }

  async function flushSnapshots(): Promise<void> {
    if (snapshots.length === 0) return
    const batch = snapshots
    snapshots = []
    rows = 0
    await begin(async () => {
      await store.writeSnapshots(batch)
      if (!signal.aborted) await onWritten?.(batch)
      for (const { chain } of batch) stored.set(chain.symbol, (stored.get(chain.symbol) ?? 0) + 1)
      report?.()
    })
  }

  async function flushBars(): Promise<void> {
    if (bars.length === 0) return
    const batch = bars
    bars = []
    barCount = 0
    await begin(async () => {
      for (const { symbol, fidelity, list } of batch) await store.writeBars(symbol, list, fidelity)
    })
  }

  async function flush(): Promise<void> {
    await flushBars()
    await flushSnapshots()
  }

  async function drain(): Promise<void> {
    await flush()
    await writing
  }

  async function reportRejections(): Promise<void> {
    if (rejections.length === 0) return
    const batch = rejections
    rejections = []
    await onNote({ kind: 'rejected', rejections: batch })
  }

  return {
    signal,
    async snapshot(snapshot) {
      if (await isRecorded(snapshot)) {
        tally.kept++
        return
      }
      snapshots.push(snapshot)
      rows += SNAPSHOT_ROWS + snapshot.chain.size
      tally.snapshots++
      tally.rows += snapshot.chain.size
      if (rows >= rowsPerWrite * (isWriting ? MAX_WAITING : 1)) await flushSnapshots()
    },
    async bars(symbol, list, fidelity) {
      const same = bars.find((other) => other.symbol === symbol && other.fidelity === fidelity)
      if (same === undefined) bars.push({ symbol, fidelity, list: [...list] })
      else for (const bar of list) same.list.push(bar)
      barCount += list.length
      tally.bars += list.length
      if (barCount >= MAX_BARS) await flushBars()
    },
    async dividends(symbol, list) {
      await begin(() => store.writeDividends(symbol, list))
      tally.dividends += list.length
    },
    async splits(symbol, list) {
      await begin(() => store.writeSplits(symbol, list))
      tally.splits += list.length
    },
    async earnings(list) {
      await begin(() => store.writeEarnings(list))
      tally.earnings += list.length
    },
    async tapes(ids, written) {
      // The first rows are read while earlier writes are going on.
      const deleting = begin(async () => {
        for (const id of ids) await store.deleteTape(id)
      })
      deleting.catch(() => {}) // the rejection surfaces at the next await
      const filled = new Set<Tape>()
      for await (const { text, rows, tapes } of written) {
        await deleting
        await begin(() => store.writeTapes(text))
        tally.prints += rows
        for (const tape of tapes) filled.add(tape)
      }
      await deleting
      tally.tapes += filled.size
    },
    reject(file, line, reason) {
      tally.rejected++
      rejections.push({ file, line, reason, outcome: 'refused' })
    },
    async setAside({ file, line, kind, reason, heading, lines }) {
      tally.doubted += lines.length
      rejections.push({ file, line, reason, kind, outcome: 'set aside' })
      for (let at = 0; at < lines.length; at += BATCH_DOUBTED) {
        await onNote({ kind: 'doubted', heading, lines: lines.slice(at, at + BATCH_DOUBTED) })
      }
    },
    mark(file, line, reason, kind) {
      tally.marked++
      rejections.push({ file, line, reason, kind, outcome: 'written' })
    },
    leaveOut(count, because) {
      tally.leftOut += count
      if (because !== undefined) leftOut.set(because, (leftOut.get(because) ?? 0) + count)
    },
    async understood(text) {
      await onNote({ kind: 'understood', text })
    },
    async progress(what, done, total, details = {}) {
      await reporting // waits for the previous report only: reading continues while this one is being sent
      if (rejections.length >= BATCH_REJECTIONS) await reportRejections()
      const { symbol } = details
      report = () => {
        const of = symbol === undefined ? {} : { stored: stored.get(symbol) ?? 0 }
        const note = { kind: 'progress', what, done, total, tally: { ...tally }, ...details, ...of } as const
        reporting = Promise.all([reporting, onNote(note)]).then(() => {})
        reporting.catch(() => {}) // the rejection surfaces at the next await
      }
      report()
      if (symbol === undefined) report = undefined
    },
    flush,
    drain,
    async finish() {
      await drain()
      await reporting
      await reportRejections()
      for (const [because, count] of leftOut) {
        await onNote({ kind: 'warning', text: `left out: ${count} ${because}` })
      }
      return { ...tally }
    }
  }
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
