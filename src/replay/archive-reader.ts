import { LRUCache } from 'lru-cache'
import type { Deadline } from '../api/deadline.ts'
import type { EarlierRequest } from '../api/market-source.ts'
import { datedAtClose } from '../archive/closing.ts'
import { FigureReader } from '../archive/figure-reader.ts'
import type { Fidelity, HistoryStore, StoredSnapshot } from '../archive/history-store.ts'
import { customersUntil, newestSettled } from '../archive/past-customers.ts'
import { PastPressureReader } from '../archive/past-pressure.ts'
import { PAST_INPUTS_SERVE } from '../facts/freshness.ts'
import { QUALITY_FLOOR } from '../facts/quality-floor.ts'
import { POOLED_DAYS, type SymbolBandErrors } from '../market/band-pool.ts'
import { type DailyBar, MAX_BARS } from '../market/bar.ts'
import { addDays, previousTradingDay } from '../market/calendar.ts'
import type { ChainHeader } from '../market/chain.ts'
import type { SessionCustomers } from '../market/customer-sums.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import { comingDividends, type Dividend } from '../market/dividend.ts'
import { type EarningsEvent, eventsKnownAt } from '../market/earnings.ts'
import { easternDate, instantOfEastern } from '../market/eastern.ts'
import { areEqualByContent } from '../market/equal-content.ts'
import { PAR_YIELDS } from '../market/macro-series.ts'
import { parentOfRoot, securityKind } from '../market/security.ts'
import { sharesForOne } from '../market/split.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import { versionOf } from '../market/versions.ts'
import type { RateCurve } from '../pricing/assumptions.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { publishedRates } from '../pricing/rates/published-rates.ts'
import type { ChainDeductions } from '../quality/chain-assessment.ts'
import type { Engine } from '../workers/engine.ts'
import type { PricingContext } from '../workers/tasks/task.ts'
import { FlowSampleReader } from './flow-sample-reader.ts'
import type { GeneratedPrices } from './generated-prices.ts'
import { type ChainReferences, type RestoredChain, RestoredChains } from './restored-chains.ts'
import { type PricingInputs, StrikeReader } from './strike-reader.ts'
import { TapeReader, type TapeReaderOptions } from './tape-reader.ts'

/** Maximum number of cached chain headers, for snapshots whose whole chain was not needed. */
const MAX_UNDERLYINGS = 1000
/** Maximum number of cached daily bars and records, some 100 bytes each. */
const MAX_ROWS = 200_000

/** Number of sessions whose interest rates are cached. */
const MAX_SESSIONS = 1000
/** Name among the sessions of cached rates that says that the archive has no chain of the index. */
const NO_INDEX = 'no index'
/**
 * Number of chains whose deductions from the quality score are cached. Below, the number of cached closes of previous
 * sessions, from which these deductions are computed.
 */
const MAX_ASSESSED = 1000
const MAX_PRIOR = 16

type Row = DailyBar | DailyRecord | SymbolBandErrors

/** A date before all earnings reports. */
const EVERY_REPORT = '1900-01-01' as IsoDate
/** A date before all sessions. As `today` it means that every session may still be recorded. */
const EVERY_SESSION = '0000-01-01' as IsoDate

export interface ReaderOptions {
  readonly confidence?: TapeReaderOptions['confidence'] | undefined
  readonly today?: TapeReaderOptions['today']
  readonly contracts?: number | undefined
  /** Memory for tapes, bytes; undefined for the default. */
  readonly tapeBytes?: number | undefined
  /**
   * Index whose options imply interest rates, or `PAR_YIELDS`; undefined if the operator or the source gives the rates.
   */
  readonly ratesIndex?: Ticker | undefined
  /** Score below which nothing is concluded from a chain; default: `QUALITY_FLOOR`. */
  readonly qualityFloor?: number | undefined
  /** Minute prices of a market that makes its prices up; undefined for every other market. */
  readonly generated?: Pick<GeneratedPrices, 'known'> | undefined
}

/**
 * Reads the archive for responses about the past. A snapshot is priced only once while its chain is cached. Lists stay
 * the same object as long as their rows are equal, so results memoized on them stay valid. The database is asked every
 * time, so later writes are never missed; simultaneous equal reads are shared.
 */
export class ArchiveReader {
  readonly tapes: TapeReader
  readonly samples: FlowSampleReader
  readonly pastPressure: PastPressureReader
  readonly figures: FigureReader
  readonly strikes: StrikeReader
  readonly #history: HistoryStore
  readonly #engine: Pick<Engine, 'run' | 'forget'>
  readonly #chains: RestoredChains
  readonly #underlyings = new LRUCache<string, { readonly header: ChainHeader | undefined }>({
    max: MAX_UNDERLYINGS,
    ttl: PAST_INPUTS_SERVE
  })
  readonly #lists = new LRUCache<string, readonly Row[]>({
    maxSize: MAX_ROWS,
    sizeCalculation: (rows) => rows.length + 1
  })
  readonly qualityFloor: number
  readonly generated: ReaderOptions['generated']
  readonly #ratesIndex: Ticker | undefined
  readonly #rates = new LRUCache<string, { readonly curve: RateCurve | undefined }>({
    max: MAX_SESSIONS,
    ttl: PAST_INPUTS_SERVE
  })
  readonly #customers = new LRUCache<string, readonly SessionCustomers[]>({ max: MAX_SESSIONS })
  readonly #underway = new Map<string, Promise<unknown>>()
  readonly #fidelities = new WeakMap<ChainHeader, Fidelity>()
  /** Points deducted from the quality score of chains, by version of the chain. */
  readonly #deducted = new LRUCache<number, Promise<ChainDeductions>>({ max: MAX_ASSESSED, ttl: PAST_INPUTS_SERVE })
  /** Close of the previous session, by symbol and session. */
  readonly #prior = new LRUCache<string, { readonly close: StoredSnapshot | undefined }>({
    max: MAX_PRIOR,
    ttl: PAST_INPUTS_SERVE
  })

  constructor(
    history: HistoryStore,
    engine: Pick<Engine, 'run' | 'forget'>,
    {
      contracts,
      tapeBytes: maxBytes,
      ratesIndex,
      qualityFloor = QUALITY_FLOOR,
      confidence,
      generated,
      today = () => EVERY_SESSION
    }: ReaderOptions = {}
  ) {
    this.tapes = new TapeReader(history, engine, { confidence, today, maxBytes })
    this.samples = new FlowSampleReader(history)
    this.pastPressure = new PastPressureReader(history)
    this.figures = new FigureReader(history)
    this.strikes = new StrikeReader({ history, engine, pricingInputs: (symbol, at) => this.pricingInputs(symbol, at) })
    this.#history = history
    this.#engine = engine
    this.qualityFloor = qualityFloor
    this.generated = generated
    this.#ratesIndex = ratesIndex
    this.#chains = new RestoredChains(engine, contracts)
  }

  /** Newest snapshot of a symbol at or before `at`, on the same New York date. */
  snapshot(symbol: Ticker, at: Instant): Promise<StoredSnapshot | undefined> {
    return this.#shared(`snapshot ${symbol} ${at}`, () => this.#history.snapshot(symbol, at))
  }

  closingSnapshot(symbol: Ticker, session: IsoDate): Promise<StoredSnapshot | undefined> {
    return this.#shared(`close ${symbol} ${session}`, () => this.#history.closingSnapshot(symbol, session))
  }

  /**
   * Turns a snapshot into a priced chain. For an option root, such as SPXW of SPX, returns the part of the chain under
   * that root; undefined if nothing is listed there. The chain may be used until `references` are released, or without
   * limit if they are omitted.
   */
  chain(snapshot: StoredSnapshot, symbol: Ticker, references?: ChainReferences): Promise<PricedChain | undefined> {
    return this.#chain(snapshot, snapshot.asOf, symbol, references)
  }

  /**
   * Reads the header of a snapshot's chain (time, spot, source), for a symbol or one of its roots. No option is priced.
   * Undefined if nothing is listed under that root.
   */
  async underlying(snapshot: StoredSnapshot, symbol: Ticker, deadline?: Deadline): Promise<ChainHeader | undefined> {
    const name = [symbol, snapshot.asOf, snapshot.fidelity].join(' ')
    const read = async () => {
      const underlying = { header: await this.#engine.run('readUnderlying', { snapshot, symbol }, deadline) }
      if (underlying.header !== undefined) this.#fidelities.set(underlying.header, snapshot.fidelity)
      this.#underlyings.set(name, underlying)
      return underlying
    }
    const { header } = this.#underlyings.get(name) ?? (await this.#shared(`underlying ${name}`, read))
    return header
  }

  /**
   * Prices the last snapshot of a session and gives it the close as its time; undefined if it was taken too long before
   * the close.
   */
  async closing(
    last: StoredSnapshot,
    symbol: Ticker,
    session: IsoDate,
    references?: ChainReferences
  ): Promise<PricedChain | undefined> {
    const snapshot = datedAtClose(last, session)
    return snapshot && this.#chain(snapshot, last.asOf, symbol, references)
  }

  /** `takenAt` is the time at which the snapshot was taken; its `asOf` may be the close instead. */
  async #chain(
    snapshot: StoredSnapshot,
    takenAt: Instant,
    symbol: Ticker,
    references: ChainReferences | undefined
  ): Promise<PricedChain | undefined> {
    const { known, name: inputs } = await this.pricingInputs(snapshot.symbol, snapshot.asOf)
    const name = [snapshot.symbol, takenAt, snapshot.asOf, snapshot.fidelity, inputs].join(' ')
    const restore = () => this.#restore(name, snapshot, known, references?.deadline)
    const restored = this.#chains.get(name) ?? (await this.#shared(`chain ${name}`, restore))
    if (references === undefined) restored.hasUnknownUsers = true
    else references.add(restored)
    const { chain, held } = restored
    if (symbol === snapshot.symbol) return chain
    const part = held.partOf(chain, symbol)
    if (part !== undefined) this.#fidelities.set(part, snapshot.fidelity)
    return part
  }

  /**
   * Prices an earlier snapshot. If `which` is `first_from`, it is the first snapshot of its New York day from `at` on.
   * Otherwise it is the newest of the day at or before `at`. Undefined if there is none, if it is later than `until`, or
   * if the share was split since: its strikes and contracts are not those of `until`.
   */
  async earlier(
    { symbol, at, which }: EarlierRequest,
    until: Instant,
    references?: ChainReferences
  ): Promise<PricedChain | undefined> {
    const parent = parentOfRoot(symbol) ?? symbol
    const end = instantOfEastern(addDays(easternDate(at), 1), 0)
    const first = which === 'first_from' ? (await this.#history.moments(parent, at, end)).at(0)?.asOf : at
    if (first === undefined || first > until) return undefined
    const snapshot = await this.snapshot(parent, first)
    if (snapshot === undefined || (await this.isSplit(parent, easternDate(snapshot.asOf), until))) return undefined
    return this.chain(snapshot, symbol, references)
  }

  /** Whether a share was split after a day, up to the day of `until`. */
  async isSplit(symbol: Ticker, date: IsoDate, until: Instant): Promise<boolean> {
    return sharesForOne(await this.#history.splits(symbol), date, easternDate(until)) !== 1
  }

  fidelityOf(chain: ChainHeader): Fidelity {
    return this.#fidelities.get(chain) ?? 'recorded'
  }

  /**
   * Points deducted from a chain's quality score for reasons other than its age, and the check that costs most. They are computed with the previous
   * session's close.
   */
  deducted(chain: PricedChain): Promise<ChainDeductions> {
    const version = versionOf(chain)
    let found = this.#deducted.get(version)
    if (found === undefined) {
      this.#deducted.set(version, (found = this.#assess(chain)))
      found.catch(() => this.#deducted.delete(version)) // after an error, the next caller tries again
    }
    return found
  }

  async #assess(chain: PricedChain): Promise<ChainDeductions> {
    const session = previousTradingDay(easternDate(chain.asOf))
    const before = await this.#priorClose(parentOfRoot(chain.symbol) ?? chain.symbol, session)
    const beforeVersion = before && versionOf(before)
    return this.#engine.run('assessPastChain', { chain, before, beforeVersion })
  }

  async #priorClose(symbol: Ticker, session: IsoDate): Promise<StoredSnapshot | undefined> {
    const name = `${symbol} ${session}`
    const held = this.#prior.get(name)
    if (held !== undefined) return held.close
    const last = await this.closingSnapshot(symbol, session)
    const close = last && datedAtClose(last, session)
    this.#prior.set(name, { close })
    return close
  }

  /** Daily bars of the sessions that had ended by `at`. Returns the same object as long as the rows are equal. */
  async bars(symbol: Ticker, at: Instant): Promise<readonly DailyBar[]> {
    const read = () => this.#history.bars(symbol, at, MAX_BARS)
    return this.#steady(`bars ${symbol}`, await this.#shared(`bars ${symbol} ${at}`, read))
  }

  /** Newest `count` daily records dated before a day. Returns the same object as long as the rows are equal. */
  async records(symbol: Ticker, before: IsoDate, count: number): Promise<readonly DailyRecord[]> {
    const name = `records ${symbol} ${before} ${count}`
    return this.#steady(name, await this.#shared(name, () => this.#history.records(symbol, before, count)))
  }

  /** Errors of the bands of all symbols before a day. Returns the same object as long as the rows are equal. */
  async bandErrors(before: IsoDate): Promise<readonly SymbolBandErrors[]> {
    const from = addDays(before, -POOLED_DAYS)
    const name = `bands ${before}`
    return this.#steady(name, await this.#shared(name, () => this.#history.bandErrors(from, before)))
  }

  /** Customer sums of earlier sessions. Returns the same object as long as the rows are equal. */
  async customers(symbol: Ticker, at: Instant): Promise<readonly SessionCustomers[]> {
    const name = `customers ${symbol} ${newestSettled(at)}`
    const found = await this.#shared(name, () => customersUntil(this.#history, symbol, at))
    const held = this.#customers.get(name)
    if (held !== undefined && areEqualByContent(held, found)) return held
    this.#customers.set(name, found)
    return found
  }

  /** Earnings reports of a company as known at `at`, ascending; undefined if none had been announced. */
  async earnings(symbol: Ticker, at: Instant): Promise<readonly EarningsEvent[] | undefined> {
    const read = () => this.#history.earnings({ symbol, from: EVERY_REPORT }, at)
    const events = eventsKnownAt(await this.#shared(`earnings ${symbol} ${at}`, read), at)
    return events.length === 0 ? undefined : events
  }

  async knows(symbol: Ticker): Promise<boolean> {
    const symbols = await this.#shared('symbols', () => this.#history.symbols())
    return symbols.includes(symbol)
  }

  async pricingInputs(symbol: Ticker, asOf: Instant): Promise<PricingInputs> {
    const dividends = await this.#dividends(symbol, asOf)
    const expected = dividends.map(({ exDate, amount }) => `${exDate} ${amount}`)
    const rates = await this.#ratesOf(easternDate(asOf))
    const rateTexts = rates === undefined ? [] : rates.points.map(({ days, rate }) => `${days}:${rate}`)
    return { known: { dividends, rates }, name: [...expected, ...rateTexts].join(' ') }
  }

  /** Drops the cached rates. Must not be called while rates are being read. */
  renewRates(): void {
    this.#rates.clear()
  }

  /** Dividends expected at the moment of a snapshot. Indexes have none. */
  async #dividends(symbol: Ticker, asOf: Instant): Promise<readonly Dividend[]> {
    if (securityKind(symbol) === 'index') return []
    const read = () => this.#history.dividends(symbol, asOf)
    return comingDividends(await this.#shared(`dividends ${symbol} ${asOf}`, read), asOf)
  }

  /**
   * Interest rates for a session: implied by options at the close of the previous session, or the newest published
   * rates. Undefined if the archive has no data for them.
   */
  async #ratesOf(session: IsoDate): Promise<RateCurve | undefined> {
    const symbol = this.#ratesIndex
    if (symbol === undefined) return undefined
    const known = this.#rates.get(session)
    if (known !== undefined) return known.curve
    return this.#shared(`rates ${session}`, async () => {
      if (symbol === PAR_YIELDS) {
        const curve = await publishedRates(session, (series, at, count) => this.#history.bars(series, at, count))
        this.#rates.set(session, { curve })
        return curve
      }
      if (this.#rates.has(NO_INDEX)) return undefined
      const before = previousTradingDay(session)
      const last = await this.closingSnapshot(symbol, before)
      // Without the index no other session needs to be looked up.
      if (last === undefined && !(await this.knows(symbol))) this.#rates.set(NO_INDEX, { curve: undefined })
      const snapshot = last && datedAtClose(last, before)
      const curve = snapshot && (await this.#engine.run('readImpliedRates', { symbol, session: before, snapshot }))
      this.#rates.set(session, { curve })
      return curve
    })
  }

  async #restore(
    name: string,
    snapshot: StoredSnapshot,
    known: PricingContext,
    deadline: Deadline | undefined
  ): Promise<RestoredChain> {
    const chain = await this.#engine.run('restoreChain', { snapshot, ...known }, deadline)
    this.#fidelities.set(chain, snapshot.fidelity)
    return this.#chains.add(name, chain)
  }

  /** Returns the cached list if its rows are equal to the new ones; otherwise caches and returns the new list. */
  #steady<Rows extends readonly Row[]>(name: string, rows: Rows): Rows {
    const place = `${name} ${rows.at(-1)?.date}`
    const held = this.#lists.get(place)
    if (held !== undefined && (held === rows || areSame(held, rows))) return held as Rows
    this.#lists.set(place, rows)
    return rows
  }

  #shared<Value>(name: string, read: () => Promise<Value>): Promise<Value> {
    let reading = this.#underway.get(name)
    if (reading === undefined) {
      reading = read().finally(() => this.#underway.delete(name))
      this.#underway.set(name, reading)
    }
    return reading as Promise<Value>
  }
}

function areSame(one: readonly Row[], other: readonly Row[]): boolean {
  return one.length === other.length && one.every((row, k) => row === other[k] || areEqual(row, other[k]))
}

/** Whether every figure of a row is that of another. A list of entries for each of thousands of rows would take far longer. */
function areEqual(row: Row, other: Row): boolean {
  for (const field in row) {
    if (!Object.is(row[field as keyof Row], other[field as keyof Row])) return false
  }
  return true
}
