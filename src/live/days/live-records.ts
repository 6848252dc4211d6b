import type { MaybePromise } from '../../api/maybe-promise.ts'
import { recordedClose } from '../../archive/closing.ts'
import type { HistoryStore } from '../../archive/history-store.ts'
import type { Connector } from '../../connectors/port/connector.ts'
import { RETRY_AFTER_FAILURE, RETRY_WHEN_ABSENT } from '../../facts/freshness.ts'
import type { DailyBar } from '../../market/bar.ts'
import { previousTradingDay } from '../../market/calendar.ts'
import { type DailyRecord, MAX_RECORDS } from '../../market/daily-record.ts'
import type { Dividend } from '../../market/dividend.ts'
import { memoizeBy } from '../../market/memoize.ts'
import { parentOfRoot } from '../../market/security.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { Engine } from '../../workers/engine.ts'
import { Cell } from '../cell.ts'
import { Cells } from '../cells.ts'
import type { MarketEventBus, PastArchive } from '../market-events.ts'

/** The daily records of one symbol that are dated before one date. */
interface Series {
  readonly symbol: Ticker
  readonly cell: Cell<readonly DailyRecord[]>
  /** Number of past sessions whose records were read; `wanted` is the number that a caller requested. */
  count: number
  wanted: number
}

const MAX_SERIES = 2000

interface Options {
  readonly engine: Pick<Engine, 'run'>
  readonly source: Pick<Connector, 'holdsPast'>
  /** Records are read from here first. Missing ones are computed from past closes that the source provides. */
  readonly archive?: Pick<PastArchive, 'records' | 'closingSnapshot'> | undefined
  readonly events: MarketEventBus
  readonly bars: (symbol: Ticker) => MaybePromise<readonly DailyBar[]>
  readonly dividends: (symbol: Ticker) => MaybePromise<readonly Dividend[]>
  readonly marketNow: () => Instant
  /** Clock of periods, milliseconds. */
  readonly steadyNow: () => number
}

/**
 * Daily records of every recently requested symbol. They are read from the archive; the engine computes missing ones
 * from past closes. Empty if neither is possible.
 */
export class DailyRecords {
  readonly #options: Options
  readonly #cells: Cells<string, Series>

  constructor(options: Options) {
    this.#options = options
    this.#cells = new Cells({ make: (name: string) => this.#make(name), steadyNow: options.steadyNow })
  }

  /**
   * The newest records of a symbol dated before a date. For a weekly root, such as SPXW, they are the records of its
   * index.
   */
  of(root: Ticker, before: IsoDate, most: number): MaybePromise<readonly DailyRecord[]> {
    const symbol = parentOfRoot(root) ?? root
    const count = Math.min(most, MAX_RECORDS)
    const series = this.#cells.get(`${symbol} ${before}`)
    const { cell } = series
    while (this.#cells.size > MAX_SERIES && this.#cells.dropLongestIdle(() => true, true));
    const isFirst = !cell.isLoading
    if (isFirst) series.wanted = Math.max(count, series.count)
    if (cell.isGood && series.count >= count) return newest(cell.read(), count)
    // If fewer records than this caller needs are just being loaded, it waits and then requests the rest.
    return cell.load().then((all) => (series.count >= count ? newest(all, count) : this.of(root, before, count)))
  }

  /** Records that are loaded already. Reads and computes nothing. */
  held(symbol: Ticker, before: IsoDate): readonly DailyRecord[] {
    return this.#cells.peek(`${symbol} ${before}`)?.cell.value ?? []
  }

  dropIdle(): void {
    this.#cells.dropIdle()
  }

  drop(symbol: Ticker): void {
    this.#cells.dropAll((series) => series.symbol === symbol)
  }

  #make(name: string): Series {
    const [symbol, before] = name.split(' ') as [Ticker, IsoDate]
    /** The sessions before the date, ascending; as many as the greatest number of records. */
    const sessions: IsoDate[] = []
    for (let date = before; sessions.length < MAX_RECORDS; ) sessions.unshift((date = previousTradingDay(date)))
    const load = () => this.#load(series, before, sessions)
    const series: Series = {
      symbol,
      cell: new Cell<readonly DailyRecord[]>({
        load,
        initial: { value: [] },
        isSame: sameDates,
        steadyNow: this.#options.steadyNow
      }),
      count: 0,
      wanted: 0
    }
    return series
  }

  async #load(series: Series, before: IsoDate, sessions: readonly IsoDate[]) {
    const { archive, engine, events, source, marketNow, dividends } = this.#options
    const { symbol, wanted: count } = series
    const wanted = sessions.slice(-count)
    let failed = false
    const orNone = (asked: Promise<readonly DailyRecord[]>) =>
      asked.catch((): readonly DailyRecord[] => {
        failed = true
        return []
      })
    const stored = archive === undefined ? [] : await orNone(archive.records(symbol, before, count))
    const known = new Map(stored.map((record) => [record.date, record]))
    const missing = wanted.filter((session) => !known.has(session))
    if (missing.length > 0) {
      const past = source.holdsPast
        ? engine.run('makePastRecords', {
            symbol,
            sessions: missing,
            now: marketNow(),
            dividends: await dividends(symbol)
          })
        : this.#ofSnapshots(symbol, missing)
      const made = await orNone(past)
      for (const record of made) known.set(record.date, record)
      if (made.length > 0) events.emit('recordsLearned', { symbol, records: made })
    }
    const found = [...known.values()].sort((a, b) => (a.date < b.date ? -1 : 1)).slice(-count)
    const held = series.cell.value!
    const isComplete = known.has(sessions[sessions.length - 1])
    series.count = count
    return {
      value: failed && found.length < held.length ? held : found,
      goodFor: failed ? RETRY_AFTER_FAILURE : isComplete ? Number.POSITIVE_INFINITY : RETRY_WHEN_ABSENT
    }
  }

  /** Computes records from closes in the archive, for a source that provides no past data. */
  async #ofSnapshots(symbol: Ticker, sessions: readonly IsoDate[]): Promise<readonly DailyRecord[]> {
    const { archive, engine, bars, dividends } = this.#options
    if (archive === undefined) return []
    const records: DailyRecord[] = []
    for (const session of sessions) {
      const barsUpTo = async () => (await bars(symbol)).filter(({ date }) => date <= session)
      const record = await recordOfDay(symbol, session, {
        archive,
        engine,
        bars: barsUpTo,
        dividends: () => dividends(symbol)
      })
      if (record !== undefined) records.push(record)
    }
    return records
  }
}

const lastOf = memoizeBy((records: readonly DailyRecord[], count: number) => records.slice(-count))

/** The last `count` records of a list. Returns the same object for the same list, so that caches see no change. */
function newest(records: readonly DailyRecord[], count: number): readonly DailyRecord[] {
  return records.length <= count ? records : lastOf(records, count)
}

function sameDates(a: readonly DailyRecord[], b: readonly DailyRecord[]): boolean {
  return a.length === b.length && a.every(({ date }, k) => date === b[k].date)
}

interface Sources {
  readonly archive: Pick<HistoryStore, 'closingSnapshot'>
  readonly engine: Pick<Engine, 'run'>
  /** Daily bars up to and including the session, ascending. */
  readonly bars: () => Promise<readonly DailyBar[]>
  /** All known dividends of the symbol. The record uses only those that were known by the close. */
  readonly dividends: () => MaybePromise<readonly Dividend[]>
}

/** Computes the daily record of a session from its close in the archive. Undefined if the archive has no such close. */
export async function recordOfDay(
  symbol: Ticker,
  session: IsoDate,
  { archive, engine, bars, dividends }: Sources
): Promise<DailyRecord | undefined> {
  const snapshot = await recordedClose(archive, symbol, session)
  if (snapshot === undefined) return undefined
  // Only the errors of its bands need the evening before; a record without them is better than none.
  const before = await recordedClose(archive, symbol, previousTradingDay(session)).catch(() => undefined)
  return engine.run('makeRecord', { snapshot, before, bars: await bars(), dividends: await dividends() })
}
