import type { MaybePromise } from '../api/source.ts'
import { closingMoment } from '../archive/closing.ts'
import type { Connector } from '../connectors/port/connector.ts'
import type { DailyBar } from '../market/bar.ts'
import { previousTradingDay, session as sessionOf } from '../market/calendar.ts'
import { type DailyRecord, MAX_RECORDS } from '../market/daily-record.ts'
import { memoizeBy } from '../market/memoize.ts'
import { parentOfRoot } from '../market/security.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { Engine } from '../workers/engine.ts'
import type { MarketObserver, PastArchive } from './events.ts'

/** The records of one symbol before one date. Times are wall-clock milliseconds. */
interface Series {
  readonly symbol: Ticker
  readonly before: IsoDate
  /** The sessions before it, ascending, as many as are ever held. */
  readonly sessions: readonly IsoDate[]
  records: readonly DailyRecord[]
  /** How many of the newest sessions were looked for. */
  count: number
  loading: Promise<void> | undefined
  askedAt: Instant
  retryAt: Instant
}

const MINUTE = 60_000
/** What failed is asked again after this long. */
const RETRY_AFTER_FAILURE = MINUTE
/** A record of the newest session that is not there may be there later. */
const RETRY_WHEN_ABSENT = 5 * MINUTE
const IDLE_AFTER = 15 * MINUTE
const MAX_SERIES = 2000
const NEVER = Number.NEGATIVE_INFINITY

interface Options {
  readonly engine: Pick<Engine, 'records' | 'record'>
  readonly source: Pick<Connector, 'holdsPast'>
  /** Asked first; what it lacks is made of the closes the source holds. */
  readonly archive?: Pick<PastArchive, 'records' | 'closingSnapshot'> | undefined
  readonly observer: Pick<MarketObserver, 'records'>
  readonly bars: (symbol: Ticker) => MaybePromise<readonly DailyBar[]>
  readonly marketNow: () => Instant
  readonly wallNow: () => Instant
}

/**
 * The daily records of every symbol that was asked for them lately: read from the archive, made by the engine where the
 * archive lacks them and the source holds past closes. Without either there are none.
 */
export class DailyRecords {
  readonly #options: Options
  /** By symbol and date, the longest idle first. */
  readonly #held = new Map<string, Series>()

  constructor(options: Options) {
    this.#options = options
  }

  /** The newest records of a symbol dated before a date; for a weekly root those of its index. */
  of(root: Ticker, before: IsoDate, most: number): MaybePromise<readonly DailyRecord[]> {
    const symbol = parentOfRoot(root) ?? root
    const count = Math.min(most, MAX_RECORDS)
    const name = `${symbol} ${before}`
    const series = this.#held.get(name) ?? newSeries(symbol, before)
    const now = this.#options.wallNow()
    series.askedAt = now
    this.#held.delete(name)
    this.#held.set(name, series)
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= MAX_SERIES) break
      this.#held.delete(oldest)
    }
    if (series.loading === undefined && series.count >= count && now < series.retryAt) return newest(series, count)
    const loading = (series.loading ??= this.#load(series, Math.max(count, series.count)))
    // Whoever comes while fewer are loaded asks for the others after that.
    return loading.then(() => (series.count >= count ? newest(series, count) : this.of(root, before, count)))
  }

  dropIdle(now: Instant): void {
    for (const [name, { loading, askedAt }] of this.#held) {
      if (loading === undefined && now - askedAt > IDLE_AFTER) this.#held.delete(name)
    }
  }

  drop(symbol: Ticker): void {
    for (const [name, series] of this.#held) if (series.symbol === symbol) this.#held.delete(name)
  }

  async #load(series: Series, count: number): Promise<void> {
    const { archive, engine, observer, source, marketNow, wallNow } = this.#options
    const { symbol, before, sessions } = series
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
      const past = source.holdsPast ? engine.records(symbol, missing, marketNow()) : this.#ofSnapshots(symbol, missing)
      const made = await orNone(past)
      for (const record of made) known.set(record.date, record)
      if (made.length > 0) observer.records(symbol, made)
    }
    const found = [...known.values()].sort((a, b) => (a.date < b.date ? -1 : 1)).slice(-count)
    // The same records keep their list, and with it the answers that were made from them.
    const poorer = failed && found.length < series.records.length
    if (!poorer && !sameDates(found, series.records)) series.records = found
    const complete = known.has(sessions[sessions.length - 1])
    series.count = count
    series.loading = undefined
    series.retryAt =
      wallNow() + (failed ? RETRY_AFTER_FAILURE : complete ? Number.POSITIVE_INFINITY : RETRY_WHEN_ABSENT)
  }

  /** Records of the closes that were recorded, for a source that cannot describe its past. */
  async #ofSnapshots(symbol: Ticker, sessions: readonly IsoDate[]): Promise<readonly DailyRecord[]> {
    const { archive, engine, bars } = this.#options
    const records: DailyRecord[] = []
    for (const session of sessions) {
      const snapshot = await archive?.closingSnapshot(symbol, session)
      const asOf = snapshot && closingMoment(snapshot.asOf, sessionOf(session)!.close)
      if (asOf === undefined) continue
      const read = (await bars(symbol)).filter(({ date }) => date <= session)
      records.push(await engine.record({ ...snapshot!, asOf }, read))
    }
    return records
  }
}

function newSeries(symbol: Ticker, before: IsoDate): Series {
  const sessions: IsoDate[] = []
  for (let date = before; sessions.length < MAX_RECORDS; ) sessions.unshift((date = previousTradingDay(date)))
  return { symbol, before, sessions, records: [], count: 0, loading: undefined, askedAt: NEVER, retryAt: NEVER }
}

const newestOf = memoizeBy((records: readonly DailyRecord[], count: number) => records.slice(-count))

/** The last records of a series: one list, and so one version, for as long as the whole is the same. */
function newest({ records }: Series, count: number): readonly DailyRecord[] {
  return records.length <= count ? records : newestOf(records, count)
}

function sameDates(a: readonly DailyRecord[], b: readonly DailyRecord[]): boolean {
  return a.length === b.length && a.every(({ date }, k) => date === b[k].date)
}
