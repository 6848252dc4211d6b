import { apiError } from '../../api/error.ts'
import type { EarningsCalendar, ReportHistory } from '../../api/market-source.ts'
import type { MaybePromise } from '../../api/maybe-promise.ts'
import type { Connector } from '../../connectors/port/connector.ts'
import { CALENDAR_SERVES, RETRY_AFTER_FAILURE } from '../../facts/freshness.ts'
import type { DailyBar } from '../../market/bar.ts'
import type { Dividend } from '../../market/dividend.ts'
import {
  calendarFrom,
  type EarningsEvent,
  type EarningsSpan,
  type EarningsStatement,
  eventsKnownAt,
  isUpcoming,
  nextEvent,
  type SymbolEarnings
} from '../../market/earnings.ts'
import { easternDate } from '../../market/eastern.ts'
import { parentOfRoot } from '../../market/security.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { Engine } from '../../workers/engine.ts'
import { Cell } from '../cell.ts'
import { Cells } from '../cells.ts'
import type { MarketEventBus, PastArchive } from '../market-events.ts'
import { ImpliedMoves } from './implied-moves.ts'
import { EventRecords } from './live-event-records.ts'

interface SymbolReports {
  readonly symbol: Ticker
  readonly cell: Cell<SymbolEarnings | undefined>
  /** Whether to compute missing records of past earnings reports too, which may take a second. */
  wantsRecords: boolean
  hasRecords: boolean
  /** The earnings reports together with the newest move that options imply for the next one. */
  shown: SymbolEarnings | undefined
}

type Reports = ReadonlyMap<Ticker, readonly EarningsEvent[]>

/**
 * State of the earnings calendar. `empty` means there is none; `unreachable` means its source fails and nothing is
 * loaded.
 */
export type CalendarState = 'unread' | 'loaded' | 'empty' | 'unreachable'

const EVERYTHING = '1900-01-01' as IsoDate
const noReports: Reports = new Map()

interface Options {
  readonly engine: Pick<Engine, 'run'>
  readonly source: Pick<Connector, 'provides' | 'holdsPast'>
  readonly archive?: Pick<PastArchive, 'earnings' | 'eventRecords' | 'closingSnapshot'> | undefined
  readonly events: MarketEventBus
  readonly bars: (symbol: Ticker) => MaybePromise<readonly DailyBar[]>
  readonly dividends: (symbol: Ticker) => MaybePromise<readonly Dividend[]>
  /** Chain in memory, which may have been priced before a report was known. */
  readonly current: (symbol: Ticker) => PricedChain | undefined
  readonly marketNow: () => Instant
  /** Clock of periods, milliseconds. */
  readonly steadyNow: () => number
}

/**
 * Earnings reports of companies: their dates from the archive and the source, records of the closes around past reports
 * (from the archive, or computed if missing), and the newest move that options imply for each coming report.
 */
export class KnownEarnings {
  readonly #options: Options
  readonly #symbols: Cells<Ticker, SymbolReports>
  readonly #calendar: Cell<Reports>
  readonly #moves: ImpliedMoves
  readonly #records: EventRecords
  /** Past earnings reports and daily bars of companies that report soon, for responses about the calendar. */
  readonly #histories = new Map<Ticker, ReportHistory>()
  #isCollecting = false
  /** When histories that could not be read are tried again, milliseconds of the steady clock. */
  #collectAgainAt = Number.POSITIVE_INFINITY
  /** A number that increases whenever something in the calendar changes. */
  #revision = 0
  #shown: { readonly name: string; readonly reports: Reports; readonly value: EarningsCalendar } | undefined

  constructor(options: Options) {
    this.#options = options
    const { steadyNow, engine, events } = options
    this.#records = new EventRecords({
      ...options,
      held: (symbol) => this.#symbols.peek(symbol)?.cell.value?.records
    })
    this.#moves = new ImpliedMoves({ engine, onChange: () => this.#revision++ })
    this.#symbols = new Cells({ make: (symbol: Ticker) => this.#make(symbol), steadyNow })
    this.#calendar = new Cell({
      load: async () => ({ value: await this.#loadCalendar(), goodFor: CALENDAR_SERVES }),
      isSame: (held, fresh) => textOf([...held]) === textOf([...fresh]),
      steadyNow
    })
    if (this.#hasCalendar) events.on('chainSwapped', (chain) => this.#takeMove(chain))
  }

  /** Earnings reports of a symbol, with records of past ones. Undefined if no calendar mentions it. */
  of(root: Ticker): MaybePromise<SymbolEarnings | undefined> {
    if (!this.#hasCalendar) return undefined
    const held = this.#symbols.get(parentOfRoot(root) ?? root)
    held.wantsRecords = true
    const { cell } = held
    if (held.hasRecords) cell.renew()
    if (held.hasRecords && cell.isServable) return this.#withMove(held, cell.read())
    return cell.load().then(
      (loaded) => (held.hasRecords ? this.#withMove(held, loaded) : this.of(root)),
      () => Promise.reject(unavailable())
    )
  }

  /** Earnings reports of a symbol, ascending. Computes no records. Undefined if no calendar mentions the symbol. */
  events(root: Ticker): MaybePromise<readonly EarningsEvent[] | undefined> {
    if (!this.#hasCalendar) return undefined
    const { cell } = this.#symbols.get(parentOfRoot(root) ?? root)
    cell.renew()
    if (cell.isServable) return cell.read()?.events
    return cell.load().then(
      (loaded) => loaded?.events,
      () => Promise.reject(unavailable())
    )
  }

  /**
   * Coming earnings reports of all companies. Past reports and daily bars are included for companies whose data is
   * loaded. Undefined if no calendar was ever loaded.
   */
  calendar(): MaybePromise<EarningsCalendar | undefined> {
    if (!this.#hasCalendar) return undefined
    this.#calendar.renew()
    if (this.#calendar.isServable) return this.#calendarOf(this.#calendar.read())
    return this.#calendar.load().then(
      (reports) => this.#calendarOf(reports),
      () => Promise.reject(unavailable())
    )
  }

  get calendarState(): CalendarState {
    if (!this.#hasCalendar) return 'empty'
    const { value, failures } = this.#calendar
    if (value === undefined) return failures > 0 ? 'unreachable' : 'unread'
    return value.size === 0 ? 'empty' : 'loaded'
  }

  dropIdle(): void {
    this.#symbols.dropIdle()
  }

  forget(symbol: Ticker): void {
    this.#symbols.drop(symbol)
  }

  /**
   * Drops the earnings data of a symbol and reads the calendar again, because an import or source has changed the
   * archive.
   */
  drop(symbol: Ticker): void {
    this.forget(symbol)
    if (this.#calendar.value !== undefined) this.#calendar.load().catch(() => {})
  }

  get #hasCalendar(): boolean {
    return this.#options.archive !== undefined || this.#options.source.provides.includes('earnings')
  }

  #make(symbol: Ticker): SymbolReports {
    const load = async () => {
      const value = await this.#load(held)
      return { value, goodFor: CALENDAR_SERVES }
    }
    const held: SymbolReports = {
      symbol,
      cell: new Cell({
        load,
        isSame: (a, b) => earningsText(a) === earningsText(b),
        steadyNow: this.#options.steadyNow
      }),
      wantsRecords: false,
      hasRecords: false,
      shown: undefined
    }
    return held
  }

  async #load(held: SymbolReports): Promise<SymbolEarnings | undefined> {
    const { symbol, wantsRecords } = held
    const now = this.#options.marketNow()
    const statements = await this.#statements({ symbol, from: EVERYTHING }, now)
    const events = eventsKnownAt(statements, now)
    const records = events.length === 0 ? [] : await this.#records.of(symbol, events, wantsRecords, now)
    held.hasRecords = wantsRecords
    if (events.length === 0) return undefined
    await this.#takeCurrentMove(symbol, events)
    return { symbol, events, records: new Map(records.map((record) => [record.before, record])), storedMove: undefined }
  }

  async #statements(asked: EarningsSpan, now: Instant): Promise<readonly EarningsStatement[]> {
    const { archive, engine, source, events } = this.#options
    const kept = (await archive?.earnings(asked, now).catch(() => undefined)) ?? []
    const isAsked = source.provides.includes('earnings')
    const stated = isAsked ? ((await engine.run('loadEarnings', { ...asked, now })) ?? []) : []
    const known = new Set(kept.map(nameOf))
    const fresh = stated.filter((statement) => !known.has(nameOf(statement)))
    if (fresh.length > 0 && asked.symbol !== undefined) {
      events.emit('earningsLearned', { symbol: asked.symbol, statements: fresh })
    }
    return [...kept, ...fresh]
  }

  async #loadCalendar(): Promise<Reports> {
    const now = this.#options.marketNow()
    const statements = await this.#statements({ symbol: undefined, from: calendarFrom(now) }, now)
    if (statements.length === 0) return noReports
    const bySymbol = new Map<Ticker, EarningsStatement[]>()
    for (const statement of statements) {
      const mine = bySymbol.get(statement.symbol)
      if (mine === undefined) bySymbol.set(statement.symbol, [statement])
      else mine.push(statement)
    }
    const reports = new Map([...bySymbol].map(([symbol, stated]) => [symbol, eventsKnownAt(stated, now)]))
    await Promise.all([...reports].map(([symbol, events]) => this.#takeCurrentMove(symbol, events)))
    return reports
  }

  #calendarOf(reports: Reports): EarningsCalendar | undefined {
    if (reports.size === 0) return undefined
    const today = easternDate(this.#options.marketNow())
    const name = `${today} ${this.#revision}`
    if (this.#shown?.name === name && this.#shown.reports === reports) {
      const { value } = this.#shown
      if (this.#options.steadyNow() >= this.#collectAgainAt) this.#collectFor(value.reports)
      return value
    }
    const upcoming = [...reports].flatMap(([symbol, events]) => {
      void this.#takeCurrentMove(symbol, events)
      return events
        .filter((event) => isUpcoming(event, today))
        .map((event) => ({ symbol, event, storedMove: this.#moves.of(symbol, event) }))
    })
    const value = { reports: upcoming, histories: new Map(this.#histories) }
    this.#shown = { name, reports, value }
    this.#collectFor(upcoming)
    return value
  }

  #collectFor(upcoming: EarningsCalendar['reports']): void {
    if (!this.#isCollecting) void this.#collect(new Set(upcoming.map(({ symbol }) => symbol)))
  }

  /**
   * Loads past earnings reports and daily bars of these symbols, one after the other, for later responses about the
   * calendar.
   */
  async #collect(symbols: ReadonlySet<Ticker>): Promise<void> {
    this.#isCollecting = true
    this.#collectAgainAt = Number.POSITIVE_INFINITY
    for (const symbol of this.#histories.keys()) if (!symbols.has(symbol)) this.#histories.delete(symbol)
    for (const symbol of symbols) {
      try {
        const { cell } = this.#symbols.get(symbol)
        const earnings = cell.isGood ? cell.read() : await cell.load()
        const bars = await this.#options.bars(symbol)
        const held = this.#histories.get(symbol)
        if (earnings === undefined || (held?.earnings === earnings && held.bars === bars)) continue
        this.#histories.set(symbol, { earnings, bars })
        this.#revision++
      } catch {
        // Until its history can be read, the symbol appears in the calendar without one. It is tried again.
        this.#collectAgainAt = this.#options.steadyNow() + RETRY_AFTER_FAILURE
      }
    }
    this.#isCollecting = false
  }

  /** Computes the move that a new chain implies for the next earnings report of its symbol, if there is one. */
  #takeMove(chain: PricedChain): void {
    this.#calendar.renew()
    const reports = this.#calendar.isGood ? this.#calendar.value : undefined
    if (reports === undefined) return
    void this.#takeNext(chain, reports.get(chain.symbol) ?? [])
  }

  /** Computes the move that the chain in memory implies for the next of these reports, unless that was done. */
  async #takeCurrentMove(symbol: Ticker, events: readonly EarningsEvent[]): Promise<void> {
    const chain = this.#options.current(symbol)
    if (chain !== undefined) await this.#takeNext(chain, events)
  }

  async #takeNext(chain: PricedChain, events: readonly EarningsEvent[]): Promise<void> {
    const event = nextEvent(events, easternDate(this.#options.marketNow()))
    if (event !== undefined) await this.#moves.take(chain, event)
  }

  /**
   * Adds the newest implied move to the earnings reports of a symbol. Returns the same object while neither has
   * changed.
   */
  #withMove(held: SymbolReports, found: SymbolEarnings | undefined): SymbolEarnings | undefined {
    if (found === undefined) return undefined
    const event = nextEvent(found.events, easternDate(this.#options.marketNow()))
    void this.#takeCurrentMove(held.symbol, found.events)
    const storedMove = event && this.#moves.of(held.symbol, event)
    if (held.shown?.events !== found.events || held.shown.records !== found.records) held.shown = undefined
    if (held.shown?.storedMove !== storedMove || held.shown === undefined) held.shown = { ...found, storedMove }
    return held.shown
  }
}

const nameOf = ({ symbol, date, knownFrom }: EarningsStatement) => `${symbol} ${date} ${knownFrom}`
const textOf = (value: unknown) => JSON.stringify(value)
const earningsText = (known: SymbolEarnings | undefined) => textOf(known && [known.events, [...known.records.values()]])

const unavailable = () =>
  apiError(
    'source_unavailable',
    'the earnings calendar cannot be loaded: its source does not answer; try again shortly'
  )
