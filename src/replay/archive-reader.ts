import { LRUCache } from 'lru-cache'
import type { EarlierRequest } from '../api/market-source.ts'
import { datedAtClose } from '../archive/closing.ts'
import { FigureReader } from '../archive/figure-reader.ts'
import type { Fidelity, HistoryStore, StoredSnapshot } from '../archive/history-store.ts'
import { type DailyBar, MAX_BARS } from '../market/bar.ts'
import { addDays, previousTradingDay } from '../market/calendar.ts'
import type { ChainHeader } from '../market/chain.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import { comingDividends, type Dividend } from '../market/dividend.ts'
import { type EarningsEvent, eventsKnownAt } from '../market/earnings.ts'
import { easternDate, instantOfEastern } from '../market/eastern.ts'
import { PAR_YIELDS } from '../market/macro-series.ts'
import { parentOfRoot, securityKind } from '../market/security.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import { versionOf } from '../market/versions.ts'
import type { RateCurve } from '../pricing/assumptions.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { publishedRates } from '../pricing/rates/published-rates.ts'
import type { Engine } from '../workers/engine.ts'
import type { PricingContext } from '../workers/tasks/task.ts'
import { type ChainReferences, type RestoredChain, RestoredChains } from './restored-chains.ts'
import { type PricingInputs, StrikeReader } from './strike-reader.ts'
import { TapeReader, type TapeReaderOptions } from './tape-reader.ts'
import { ZeroDteReader } from './zero-dte-reader.ts'

/** Headers of snapshots without their chains held at once, each for as long as rates are. */
const MAX_UNDERLYINGS = 1000
/** Rows of daily bars and records held at once, some 100 bytes each. */
const MAX_ROWS = 200_000

/** Sessions whose rates are held at once, and for how long: an import may bring a close that was not there, milliseconds. */
const MAX_SESSIONS = 1000
const RATES_GOOD_FOR = 60_000
/** Chains whose quality is held, for as long as rates are, and closes beside which it is told. */
const MAX_ASSESSED = 1000
const MAX_PRIOR = 16

type Row = DailyBar | DailyRecord

/** Before any report. */
const EVERY_REPORT = '1900-01-01' as IsoDate
/** Before any session: each may still be recorded. */
const EVERY_SESSION = '0000-01-01' as IsoDate

export interface ReaderOptions {
  readonly confidence?: TapeReaderOptions['confidence'] | undefined
  readonly today?: TapeReaderOptions['today']
  /** Contracts of restored chains held at once. */
  readonly contracts?: number | undefined
  /** The index whose options tell what money costs, or `PAR_YIELDS`; undefined where the operator or the source says it. */
  readonly ratesIndex?: Ticker | undefined
}

/**
 * The archive as answers read it: snapshots as priced chains, each made once while it is held, and lists that stay the same
 * object while their rows do, so that the same question meets the same answer. What the store holds is asked every time,
 * so nothing written later is ever missed; requests under way at the same time share a reading.
 */
export class ArchiveReader {
  /** The tapes of prints. */
  readonly tapes: TapeReader
  /** The raw bars of what expires on its day. */
  readonly zeroDte: ZeroDteReader
  /** Figures over time. */
  readonly figures: FigureReader
  /** What its snapshots add up to by strike. */
  readonly strikes: StrikeReader
  readonly #history: HistoryStore
  readonly #engine: Pick<Engine, 'run' | 'forget'>
  readonly #chains: RestoredChains
  readonly #underlyings = new LRUCache<string, { readonly header: ChainHeader | undefined }>({
    max: MAX_UNDERLYINGS,
    ttl: RATES_GOOD_FOR
  })
  readonly #lists = new LRUCache<string, readonly Row[]>({
    maxSize: MAX_ROWS,
    sizeCalculation: (rows) => rows.length + 1
  })
  readonly #ratesIndex: Ticker | undefined
  readonly #rates = new LRUCache<string, { readonly curve: RateCurve | undefined }>({
    max: MAX_SESSIONS,
    ttl: RATES_GOOD_FOR
  })
  readonly #underway = new Map<string, Promise<unknown>>()
  readonly #fidelities = new WeakMap<ChainHeader, Fidelity>()
  /** By version of a chain. */
  readonly #deducted = new LRUCache<number, Promise<number>>({ max: MAX_ASSESSED, ttl: RATES_GOOD_FOR })
  /** The moments of a day have one close before them. */
  readonly #prior = new LRUCache<string, { readonly close: StoredSnapshot | undefined }>({
    max: MAX_PRIOR,
    ttl: RATES_GOOD_FOR
  })

  constructor(
    history: HistoryStore,
    engine: Pick<Engine, 'run' | 'forget'>,
    { contracts, ratesIndex, confidence, today = () => EVERY_SESSION }: ReaderOptions = {}
  ) {
    this.tapes = new TapeReader(history, engine, { confidence, today })
    this.zeroDte = new ZeroDteReader(history)
    this.figures = new FigureReader(history)
    this.strikes = new StrikeReader({ history, engine, pricingInputs: (symbol, at) => this.pricingInputs(symbol, at) })
    this.#history = history
    this.#engine = engine
    this.#ratesIndex = ratesIndex
    this.#chains = new RestoredChains(engine, contracts)
  }

  /** The newest snapshot of a symbol at or before a moment, of that New York day. */
  snapshot(symbol: Ticker, at: Instant): Promise<StoredSnapshot | undefined> {
    return this.#shared(`snapshot ${symbol} ${at}`, () => this.#history.snapshot(symbol, at))
  }

  /** The last snapshot of a session that is over. */
  closingSnapshot(symbol: Ticker, session: IsoDate): Promise<StoredSnapshot | undefined> {
    return this.#shared(`close ${symbol} ${session}`, () => this.#history.closingSnapshot(symbol, session))
  }

  /**
   * A snapshot as a priced chain, or the part of it under one root: SPXW out of SPX. Undefined where it lists none. With a
   * lease, here and below, the chain is looked at until that ends; without one for as long as the caller likes.
   */
  chain(snapshot: StoredSnapshot, symbol: Ticker, references?: ChainReferences): Promise<PricedChain | undefined> {
    return this.#chain(snapshot, snapshot.asOf, symbol, references)
  }

  /** What a snapshot says of a symbol beside its options, which are not priced for it. Undefined where it lists none. */
  async underlying(snapshot: StoredSnapshot, symbol: Ticker): Promise<ChainHeader | undefined> {
    const name = [symbol, snapshot.asOf, snapshot.fidelity].join(' ')
    const read = async () => {
      const underlying = { header: await this.#engine.run('readUnderlying', { snapshot, symbol }) }
      if (underlying.header !== undefined) this.#fidelities.set(underlying.header, snapshot.fidelity)
      this.#underlyings.set(name, underlying)
      return underlying
    }
    const { header } = this.#underlyings.get(name) ?? (await this.#shared(`underlying ${name}`, read))
    return header
  }

  /**
   * The same of the last snapshot of a session, dated at its close. Undefined where it was taken too early for that.
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

  /** `takenAt`: the moment of the snapshot itself, whatever it is dated at. */
  async #chain(
    snapshot: StoredSnapshot,
    takenAt: Instant,
    symbol: Ticker,
    references: ChainReferences | undefined
  ): Promise<PricedChain | undefined> {
    const { known, name: inputs } = await this.pricingInputs(snapshot.symbol, snapshot.asOf)
    const name = [snapshot.symbol, takenAt, snapshot.asOf, snapshot.fidelity, inputs].join(' ')
    const restore = () => this.#restore(name, snapshot, known)
    const restored = this.#chains.get(name) ?? (await this.#shared(`chain ${name}`, restore))
    if (references === undefined) restored.hasUnknownUsers = true
    else references.add(restored)
    const { chain, held } = restored
    if (symbol === snapshot.symbol) return chain
    const part = held.partOf(chain, symbol)
    if (part !== undefined) this.#fidelities.set(part, snapshot.fidelity)
    return part
  }

  /** The snapshot of a symbol that is asked for, no later than `until`, as a priced chain. Undefined: there is none. */
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
    return snapshot && this.chain(snapshot, symbol, references)
  }

  /** Where a chain of this archive comes from. */
  fidelityOf(chain: ChainHeader): Fidelity {
    return this.#fidelities.get(chain) ?? 'recorded'
  }

  /** The points that the quality of a chain costs whatever its age, beside the close of the session before. */
  deducted(chain: PricedChain): Promise<number> {
    const version = versionOf(chain)
    let points = this.#deducted.get(version)
    if (points === undefined) {
      this.#deducted.set(version, (points = this.#assess(chain)))
      points.catch(() => this.#deducted.delete(version)) // the next caller has it told again
    }
    return points
  }

  async #assess(chain: PricedChain): Promise<number> {
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

  /** Bars of sessions that were over by a moment; the same list for as long as it has the same rows. */
  async bars(symbol: Ticker, at: Instant): Promise<readonly DailyBar[]> {
    const read = () => this.#history.bars(symbol, at, MAX_BARS)
    return this.#steady(`bars ${symbol}`, await this.#shared(`bars ${symbol} ${at}`, read))
  }

  /** Records dated before a day, the newest `count`; the same list for as long as it has the same rows. */
  async records(symbol: Ticker, before: IsoDate, count: number): Promise<readonly DailyRecord[]> {
    const name = `records ${symbol} ${before} ${count}`
    return this.#steady(name, await this.#shared(name, () => this.#history.records(symbol, before, count)))
  }

  /** The reports of a company as known at a moment, ascending. Undefined: nothing was said of any by then. */
  async earnings(symbol: Ticker, at: Instant): Promise<readonly EarningsEvent[] | undefined> {
    const read = () => this.#history.earnings({ symbol, from: EVERY_REPORT }, at)
    const events = eventsKnownAt(await this.#shared(`earnings ${symbol} ${at}`, read), at)
    return events.length === 0 ? undefined : events
  }

  /** Whether anything was ever recorded of a symbol. */
  async knows(symbol: Ticker): Promise<boolean> {
    const symbols = await this.#shared('symbols', () => this.#history.symbols())
    return symbols.includes(symbol)
  }

  /** What a snapshot of a moment is priced with beside what it holds. */
  async pricingInputs(symbol: Ticker, asOf: Instant): Promise<PricingInputs> {
    const dividends = await this.#dividends(symbol, asOf)
    const expected = dividends.map(({ exDate, amount }) => `${exDate} ${amount}`)
    const rates = await this.#ratesOf(easternDate(asOf))
    const said = rates === undefined ? [] : rates.points.map(({ days, rate }) => `${days}:${rate}`)
    return { known: { dividends, rates }, name: [...expected, ...said].join(' ') }
  }

  /** From now on rates are those that the archive holds by now. None may be on their way. */
  renewRates(): void {
    this.#rates.clear()
  }

  /** Those that were to be expected at the moment of a snapshot. Indexes pay none. */
  async #dividends(symbol: Ticker, asOf: Instant): Promise<readonly Dividend[]> {
    if (securityKind(symbol) === 'index') return []
    const read = () => this.#history.dividends(symbol, asOf)
    return comingDividends(await this.#shared(`dividends ${symbol} ${asOf}`, read), asOf)
  }

  /** The curve that the index implied at the close of the session before, or published yields say; undefined where not held. */
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
      const before = previousTradingDay(session)
      const last = await this.closingSnapshot(symbol, before)
      const snapshot = last && datedAtClose(last, before)
      const curve = snapshot && (await this.#engine.run('readImpliedRates', { symbol, session: before, snapshot }))
      this.#rates.set(session, { curve })
      return curve
    })
  }

  async #restore(name: string, snapshot: StoredSnapshot, known: PricingContext): Promise<RestoredChain> {
    const chain = await this.#engine.run('restoreChain', { snapshot, ...known })
    this.#fidelities.set(chain, snapshot.fidelity)
    return this.#chains.add(name, chain)
  }

  /** The list that is held under a name and its newest row, where it has the very same rows. */
  #steady<Rows extends readonly Row[]>(name: string, rows: Rows): Rows {
    const place = `${name} ${rows.at(-1)?.date}`
    const held = this.#lists.get(place)
    if (held !== undefined && areSame(held, rows)) return held as Rows
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
  if (one.length !== other.length) return false
  return one.every((row, k) => {
    if (row === other[k]) return true
    const values = other[k] as unknown as Readonly<Record<string, unknown>>
    return Object.entries(row).every(([field, value]) => Object.is(value, values[field]))
  })
}
