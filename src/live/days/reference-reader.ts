import type { HistoryStore } from '../../archive/history-store.ts'
import { pause } from '../../connectors/port/pause.ts'
import type { ReferenceSource, Stated } from '../../connectors/port/reference.ts'
import { SourceError } from '../../connectors/port/source-error.ts'
import { judgeBars } from '../../gate/stated-bars.ts'
import { type DailyBar, MAX_BARS } from '../../market/bar.ts'
import { addDays } from '../../market/calendar.ts'
import { byExDate, type Dividend } from '../../market/dividend.ts'
import { type EarningsStatement, eventsKnownAt, impliedByFiling, type ReportFiled } from '../../market/earnings.ts'
import { easternDate } from '../../market/eastern.ts'
import { macroSeriesOf } from '../../market/macro-series.ts'
import { END_OF_TIME, type Instant, type IsoDate, type Ticker } from '../../market/units.ts'
import { backOff } from '../../pacing/back-off.ts'
import { Doubts } from '../chains/doubts.ts'
import type { MarketEventBus } from '../market-events.ts'

export interface ReadReference {
  readonly source: string
  readonly seconds: number
  /**
   * Number of new entries in the archive: days of macro series, statements about earnings reports, or dividend dates.
   */
  readonly written: number
}

/** A failed attempt to read a source; `retryIn` is the number of milliseconds until the next one. */
export interface FailedReference extends Pick<ReadReference, 'source' | 'seconds'> {
  readonly error: Error
  readonly retryIn: number
}

export interface ReferencesOptions {
  readonly sources: readonly ReferenceSource[]
  readonly store: Pick<
    HistoryStore,
    'bars' | 'writeBars' | 'earnings' | 'writeEarnings' | 'dividends' | 'writeDividends'
  >
  readonly symbols: readonly Ticker[]
  readonly events: Pick<MarketEventBus, 'emit'>
  readonly wallNow: () => Instant
  readonly onRead: (read: ReadReference) => void
  readonly onFailure: (failed: FailedReference) => void
}

/**
 * Number of past calendar days for which values are requested. No figure looks back further than a year of sessions.
 */
const DAYS = 400
/** Pauses between attempts to read a failing source, milliseconds. */
const pauses = { first: 30_000, longest: 60 * 60_000 }
/** Time limit for reading a source once, milliseconds. A month of days takes half a minute at one request a second. */
const READ_WITHIN = 10 * 60_000
/** If an earnings date moves by more than this many days, it counts as a different report. */
const MOVED_WITHIN = 60

/**
 * Reads sources of reference data (rates, earnings dates, dividends) on their schedules and writes new data into the
 * archive. Values count as known from when they were published, earnings dates from when they were read. Then notifies
 * the parts of the service that cache the data. If a source fails, it is read again after a pause. The pause doubles
 * with each failure and is never shorter than the source demands. Other sources are not affected.
 */
export class References {
  readonly #options: ReferencesOptions
  readonly #doubts: Doubts
  readonly #ended = new AbortController()
  readonly #firsts = new Map<string, { readonly read: Promise<void>; readonly settle: () => void }>()
  #underway: readonly Promise<void>[] = []

  constructor(options: ReferencesOptions) {
    this.#options = options
    this.#doubts = new Doubts(options.events, options.wallNow)
    for (const { name } of options.sources) {
      let settle = () => {}
      const read = new Promise<void>((resolve) => {
        settle = resolve
      })
      this.#firsts.set(name, { read, settle })
    }
  }

  start(): void {
    this.#underway = this.#options.sources.map((source) => this.#run(source))
  }

  /** Resolves once each of the named sources has been read or has failed for the first time. */
  async firstRead(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => this.#firsts.get(name)?.read))
  }

  async stop(): Promise<void> {
    this.#ended.abort()
    await Promise.all(this.#underway)
  }

  async #run(source: ReferenceSource): Promise<void> {
    const { onRead, onFailure } = this.#options
    const { signal } = this.#ended
    for (let failures = 0; !signal.aborted; ) {
      let wait = source.every
      const { name } = source
      const begun = performance.now()
      const seconds = () => (performance.now() - begun) / 1000
      try {
        const written = await this.#take(source, AbortSignal.any([signal, AbortSignal.timeout(READ_WITHIN)]))
        failures = 0
        onRead({ source: name, seconds: seconds(), written })
      } catch (error) {
        if (signal.aborted) return
        const asked = error instanceof SourceError ? (error.retryAfter ?? 0) : 0
        wait = Math.max(backOff(++failures, pauses), asked)
        onFailure({ source: name, seconds: seconds(), error: error as Error, retryIn: wait })
      }
      this.#firsts.get(name)!.settle()
      await pause(wait, signal)
    }
  }

  /** Reads a source and writes new data. If the source fails midway, the data read so far stays. */
  async #take(source: ReferenceSource, signal: AbortSignal): Promise<number> {
    const { symbols, wallNow } = this.#options
    const now = wallNow()
    const from = addDays(easternDate(now), -DAYS)
    let written = 0
    let doubted: SourceError | undefined
    for await (const stated of source.read({ now, from, symbols }, signal)) {
      try {
        written += await this.#write(stated, wallNow())
      } catch (error) {
        if (!(error instanceof SourceError)) throw error
        doubted = error // what the source states of other symbols is written nevertheless
      }
    }
    if (doubted !== undefined) throw doubted
    return written
  }

  #write(stated: Stated, now: Instant): Promise<number> {
    if ('bars' in stated) return this.#writeBars(stated.symbol, stated.bars, now)
    if ('dividends' in stated) return this.#writeDividends(stated.symbol, stated.dividends)
    if ('filings' in stated) return this.#writeFilings(stated.filings, now)
    return this.#writeEarnings(
      stated.earnings.map((statement) => ({ ...statement, knownFrom: now })),
      now
    )
  }

  /**
   * Writes daily values from the first one that differs from the archive on. All later days are written too, because
   * figures that depend on them must be recomputed.
   */
  async #writeBars(symbol: Ticker, stated: readonly DailyBar[], now: Instant): Promise<number> {
    const { store, events } = this.#options
    const known = await store.bars(symbol, now, MAX_BARS)
    const bars = this.#believed(symbol, stated, known, now)
    const held = new Map(known.map((bar) => [bar.date, bar]))
    const first = bars.findIndex((bar) => !isSame(held.get(bar.date), bar))
    if (first < 0) return 0
    const fresh = bars.slice(first)
    await store.writeBars(symbol, fresh, 'imported')
    events.emit('daysWritten', { symbol, written: 'bars' })
    return fresh.length
  }

  /** Daily values that can be true. Throws if they contradict those of the archive, until a later session brings the same. */
  #believed(symbol: Ticker, bars: readonly DailyBar[], known: readonly DailyBar[], now: Instant): readonly DailyBar[] {
    const verdict = judgeBars({
      bars,
      known,
      lastDate: easternDate(now),
      price: undefined,
      isPossible: macroSeriesOf(symbol)?.isPossible ?? (() => true),
      maxMove: Number.POSITIVE_INFINITY,
      doubt: this.#doubts.of(symbol),
      isWaived: false
    })
    if (verdict.kind === 'taken') {
      this.#doubts.end(symbol, now)
      return verdict.bars
    }
    if (verdict.kind === 'doubted') this.#doubts.note(symbol, verdict, now)
    throw new SourceError('malformed', `the values of ${symbol} are not believed: ${verdict.message}`)
  }

  /** Writes dividends. Only dates whose payments differ from those in the archive are written. */
  async #writeDividends(symbol: Ticker, stated: readonly Dividend[]): Promise<number> {
    const { store, events } = this.#options
    if (stated.some(({ amount }) => !(amount >= 0 && amount < Number.POSITIVE_INFINITY))) {
      throw new SourceError('malformed', `a dividend of ${symbol} is no possible amount`)
    }
    const held = byExDate(await store.dividends(symbol, END_OF_TIME))
    const fresh = [...byExDate(stated)].filter(([date, paid]) => payments(paid) !== payments(held.get(date) ?? []))
    if (fresh.length === 0) return 0
    await store.writeDividends(
      symbol,
      fresh.flatMap(([, paid]) => paid)
    )
    events.emit('daysWritten', { symbol, written: 'dividends' })
    return fresh.length
  }

  /** Writes statements about earnings dates, but only those that change what is known about a report. */
  async #writeEarnings(statements: readonly EarningsStatement[], now: Instant): Promise<number> {
    const { store } = this.#options
    if (statements.length === 0) return 0
    const oldest = statements.reduce<IsoDate>((least, { date }) => (date < least ? date : least), statements[0].date)
    const held = await store.earnings({ symbol: undefined, from: addDays(oldest, -MOVED_WITHIN) }, now)
    const bySymbol = new Map<Ticker, EarningsStatement[]>(statements.map(({ symbol }) => [symbol, []]))
    for (const statement of held) bySymbol.get(statement.symbol)?.push(statement)
    const fresh = statements.flatMap((statement) => {
      const known = bySymbol.get(statement.symbol)!
      const event = eventsKnownAt(known, now).find(({ date }) => date === statement.date)
      // Some calendars do not say whether a date is confirmed. They leave a confirmed date confirmed.
      const kept = { ...statement, confirmed: statement.confirmed || (event?.confirmed ?? false) }
      return changes(known, kept, now) ? [kept] : []
    })
    return this.#writeStatements(fresh)
  }

  /** Writes what company filings say about known earnings reports, oldest filing first. */
  async #writeFilings(filed: readonly ReportFiled[], now: Instant): Promise<number> {
    const fresh: EarningsStatement[] = []
    for (const symbol of new Set(filed.map((each) => each.symbol))) {
      const ofSymbol = filed.filter((each) => each.symbol === symbol).sort((a, b) => (a.date < b.date ? -1 : 1))
      const from = addDays(ofSymbol[0].date, -MOVED_WITHIN)
      const known = [...(await this.#options.store.earnings({ symbol, from }, now))]
      for (const each of ofSymbol) {
        const implied = impliedByFiling(eventsKnownAt(known, now), each)
        const statement = implied && { ...implied, knownFrom: now }
        if (statement === undefined || !changes(known, statement, now)) continue
        known.push(statement)
        fresh.push(statement)
      }
    }
    return this.#writeStatements(fresh)
  }

  async #writeStatements(fresh: readonly EarningsStatement[]): Promise<number> {
    const { store, events } = this.#options
    if (fresh.length === 0) return 0
    await store.writeEarnings(fresh)
    for (const symbol of new Set(fresh.map(symbolOf))) events.emit('daysWritten', { symbol, written: 'earnings' })
    return fresh.length
  }
}

/** The payments of one ex-dividend date as text, for comparison. Their order makes no difference. */
const payments = (paid: readonly Dividend[]) =>
  paid
    .map(({ amount, knownFrom }) => `${amount} ${knownFrom}`)
    .sort()
    .join()

const symbolOf = ({ symbol }: EarningsStatement) => symbol

function isSame(held: DailyBar | undefined, bar: DailyBar): boolean {
  if (held === undefined) return false
  return (['open', 'high', 'low', 'close', 'volume'] as const).every((name) => Object.is(held[name], bar[name]))
}

/** Whether a statement changes what is known about an earnings report at `now`. */
function changes(known: readonly EarningsStatement[], statement: EarningsStatement, now: Instant): boolean {
  return JSON.stringify(eventsKnownAt([...known, statement], now)) !== JSON.stringify(eventsKnownAt(known, now))
}
