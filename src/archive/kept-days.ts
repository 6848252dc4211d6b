import { LRUCache } from 'lru-cache'
import type { DailyBar } from '../market/bar.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import type { Dividend } from '../market/dividend.ts'
import { END_OF_TIME, type IsoDate, type Ticker } from '../market/units.ts'
import { lastClosed } from './closing.ts'
import type { HistoryStore } from './history-store.ts'

/** Rows that are kept at once: bars take some 100 bytes each, records some 500. */
const MAX_ROWS = 200_000
/** Every row there is, and what is later than every session. */
const EVERY_ROW = 1_000_000
const END_OF_DATES = '2199-12-31' as IsoDate

/** For how long an archive that others write as well is not asked again whether they did, milliseconds. */
const CHECKED_FOR = 1000

/** Lists of one kind as the archive has them, whole, by symbol. */
class KeptLists<Row extends object> {
  readonly #read: (symbol: Ticker) => Promise<readonly Row[]>
  readonly #lists = new LRUCache<Ticker, readonly Row[]>({
    maxSize: MAX_ROWS,
    sizeCalculation: (rows) => rows.length + 1
  })
  /** Raised when a write of any symbol begins and when it has ended. */
  #writes = 0

  constructor(read: (symbol: Ticker) => Promise<readonly Row[]>) {
    this.#read = read
  }

  async of(symbol: Ticker): Promise<readonly Row[]> {
    const kept = this.#lists.get(symbol)
    if (kept !== undefined) return kept
    const writes = this.#writes
    const rows = await this.#read(symbol)
    if (this.#writes === writes) this.#lists.set(symbol, rows)
    return rows
  }

  /** Writes rows of a symbol: nothing that was read before this resolves is given afterwards. */
  async write(symbol: Ticker, write: () => Promise<void>): Promise<void> {
    this.#drop(symbol)
    try {
      await write()
    } finally {
      this.#drop(symbol)
    }
  }

  dropAll(): void {
    this.#writes++
    this.#lists.clear()
  }

  #drop(symbol: Ticker): void {
    this.#writes++
    this.#lists.delete(symbol)
  }
}

export interface KeptDaysOptions {
  /**
   * For an archive that others write too: what differs once anybody has written days, undefined where that cannot be told.
   * It is asked once a second at most, so what others write is seen within a second. Without it this process alone writes.
   */
  readonly version?: () => Promise<string | undefined>
  /** Milliseconds that only grow. */
  readonly now?: () => number
}

/**
 * The same archive, which asks for the daily bars, records and dividends of a symbol once, whole, and gives what was known
 * at a moment out of memory: an answer about a moment that nobody asked for before takes 5 to 7 ms less. A write of a symbol
 * drops what is kept of it, one of another process everything.
 */
export function withKeptDays<Store extends HistoryStore>(
  store: Store,
  { version, now = () => performance.now() }: KeptDaysOptions = {}
): Store {
  const bars = new KeptLists<DailyBar>((symbol) => store.bars(symbol, END_OF_TIME, EVERY_ROW))
  const records = new KeptLists<DailyRecord>((symbol) => store.records(symbol, END_OF_DATES, EVERY_ROW))
  const dividends = new KeptLists<Dividend>((symbol) => store.dividends(symbol, END_OF_TIME))
  const checked =
    version === undefined ? undefined : onceIn(CHECKED_FOR, now, dropsWhatChanged(version, [bars, records, dividends]))
  return {
    ...store,
    writeBars: (symbol, rows, fidelity) => bars.write(symbol, () => store.writeBars(symbol, rows, fidelity)),
    writeRecords: (symbol, rows) => records.write(symbol, () => store.writeRecords(symbol, rows)),
    writeDividends: (symbol, rows) => dividends.write(symbol, () => store.writeDividends(symbol, rows)),
    async bars(symbol, at, count) {
      await checked?.()
      const last = lastClosed(at)
      return newest(await bars.of(symbol), count, ({ date }) => date <= last)
    },
    async records(symbol, before, count) {
      await checked?.()
      return newest(await records.of(symbol), count, ({ date }) => date < before)
    },
    async dividends(symbol, at) {
      await checked?.()
      return (await dividends.of(symbol)).filter(({ knownFrom }) => knownFrom <= at)
    }
  }
}

/** Drops all lists where the version is another one than before, or cannot be told. */
function dropsWhatChanged(version: () => Promise<string | undefined>, lists: readonly { dropAll(): void }[]) {
  let known: string | undefined
  return async () => {
    // Where it cannot be asked the archive is, and says itself what is wrong.
    const found = await version().catch(() => undefined)
    if (found === undefined || found !== known) for (const list of lists) list.dropAll()
    known = found
  }
}

/** Runs at most once in so many milliseconds; who comes meanwhile waits for the run under way. */
function onceIn(milliseconds: number, now: () => number, run: () => Promise<void>): () => Promise<void> | undefined {
  let ranAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  return () => {
    if (running !== undefined) return running
    const startedAt = now()
    if (startedAt - ranAt < milliseconds) return undefined
    ranAt = startedAt
    running = run().finally(() => {
      running = undefined
    })
    return running
  }
}

/** The last of ascending rows that were known, at most so many. */
function newest<Row>(rows: readonly Row[], count: number, isKnown: (row: Row) => boolean): readonly Row[] {
  const end = rows.findLastIndex(isKnown) + 1
  return rows.slice(Math.max(0, end - count), end)
}
