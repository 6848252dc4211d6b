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

/** Headers held at once of snapshots whose chains were not asked for. */
const MAX_UNDERLYINGS = 1000
/** Rows of daily bars and records held at once, some 100 bytes each. */
const MAX_ROWS = 200_000

/** Sessions whose rates are held, and for how long, milliseconds: an import may bring a close that was missing. */
const MAX_SESSIONS = 1000
const RATES_GOOD_FOR = 60_000
/** Chains whose quality is held, and closes that it is compared with. */
const MAX_ASSESSED = 1000
const MAX_PRIOR = 16

type Row = DailyBar | DailyRecord

/** A date before any report. */
const EVERY_REPORT = '1900-01-01' as IsoDate
/** A date before any session: every session may still be recorded. */
const EVERY_SESSION = '0000-01-01' as IsoDate

export interface ReaderOptions {
  readonly confidence?: TapeReaderOptions['confidence'] | undefined
  readonly today?: TapeReaderOptions['today']
  /** Contracts of restored chains held at once. */
  readonly contracts?: number | undefined
  /**
   * The index whose options tell interest rates, or `PAR_YIELDS`; undefined when the operator or the source states
   * rates.
   */
  readonly ratesIndex?: Ticker | undefined
}

/**
 * Reads the archive for answers. Snapshots become priced chains, and each is made once while it is held; lists stay the
 * same object as long as their rows are the same, so that results memoized on them stay valid. Snapshots and rows are
 * looked up every time, so nothing written later is missed; simultaneous requests share a lookup.
 */
export class ArchiveReader {
  readonly tapes: TapeReader
  /** Raw bars of the contracts that expire on their day. */
  readonly zeroDte: ZeroDteReader
  readonly figures: FigureReader
  /** Sums of snapshots by strike. */
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
  /** By version of the chain. */
  readonly #deducted = new LRUCache<number, Promise<number>>({ max: MAX_ASSESSED, ttl: RATES_GOOD_FOR })
  /** Close of the session before, by symbol and session. */
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

  /** The newest snapshot of a symbol at or before a moment, on its New York date. */
  snapshot(symbol: Ticker, at: Instant): Promise<StoredSnapshot | undefined> {
    return this.#shared(`snapshot ${symbol} ${at}`, () => this.#history.snapshot(symbol, at))
  }

  /** The last snapshot of a finished session. */
  closingSnapshot(symbol: Ticker, session: IsoDate): Promise<StoredSnapshot | undefined> {
    return this.#shared(`close ${symbol} ${session}`, () => this.#history.closingSnapshot(symbol, session))
  }

  /**
   * A snapshot as a priced chain, or its part under one root (SPXW out of SPX). Undefined: it lists nothing under that
   * root. The chain may be used until `references` are released; without them, for as long as the caller likes.
   */
  chain(snapshot: StoredSnapshot, symbol: Ticker, references?: ChainReferences): Promise<PricedChain | undefined> {
    return this.#chain(snapshot, snapshot.asOf, symbol, references)
  }

  /**
   * The header of a snapshot under a symbol or root, for which no option is priced. Undefined: it lists nothing under
   * that root.
   */
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

  /** The last snapshot of a session as a priced chain, dated at the close. Undefined: it was taken too early. */
  async closing(
    last: StoredSnapshot,
    symbol: Ticker,
    session: IsoDate,
    references?: ChainReferences
  ): Promise<PricedChain | undefined> {
    const snapshot = datedAtClose(last, session)
    return snapshot && this.#chain(snapshot, last.asOf, symbol, references)
  }

  /** `takenAt` is the moment of the snapshot, which may be dated at the close. */
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

  /** A snapshot no later than `until` as a priced chain. Undefined: there is none. */
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

  /** Whether a chain was recorded here or imported. */
  fidelityOf(chain: ChainHeader): Fidelity {
    return this.#fidelities.get(chain) ?? 'recorded'
  }

  /**
   * Points that the quality of a chain loses for reasons other than its age. The close of the session before takes
   * part.
   */
  deducted(chain: PricedChain): Promise<number> {
    const version = versionOf(chain)
    let points = this.#deducted.get(version)
    if (points === undefined) {
      this.#deducted.set(version, (points = this.#assess(chain)))
      points.catch(() => this.#deducted.delete(version)) // the next caller tries again
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

  /** Bars of sessions that were over by a moment. The list is the same object as long as its rows are the same. */
  async bars(symbol: Ticker, at: Instant): Promise<readonly DailyBar[]> {
    const read = () => this.#history.bars(symbol, at, MAX_BARS)
    return this.#steady(`bars ${symbol}`, await this.#shared(`bars ${symbol} ${at}`, read))
  }

  /** The newest `count` records dated before a day. The list is the same object as long as its rows are the same. */
  async records(symbol: Ticker, before: IsoDate, count: number): Promise<readonly DailyRecord[]> {
    const name = `records ${symbol} ${before} ${count}`
    return this.#steady(name, await this.#shared(name, () => this.#history.records(symbol, before, count)))
  }

  /** Reports of a company as known at a moment, ascending. Undefined: none was announced by then. */
  async earnings(symbol: Ticker, at: Instant): Promise<readonly EarningsEvent[] | undefined> {
    const read = () => this.#history.earnings({ symbol, from: EVERY_REPORT }, at)
    const events = eventsKnownAt(await this.#shared(`earnings ${symbol} ${at}`, read), at)
    return events.length === 0 ? undefined : events
  }

  /** Whether any snapshot of a symbol was ever recorded. */
  async knows(symbol: Ticker): Promise<boolean> {
    const symbols = await this.#shared('symbols', () => this.#history.symbols())
    return symbols.includes(symbol)
  }

  /** The dividends and rates that a snapshot is priced with. */
  async pricingInputs(symbol: Ticker, asOf: Instant): Promise<PricingInputs> {
    const dividends = await this.#dividends(symbol, asOf)
    const expected = dividends.map(({ exDate, amount }) => `${exDate} ${amount}`)
    const rates = await this.#ratesOf(easternDate(asOf))
    const said = rates === undefined ? [] : rates.points.map(({ days, rate }) => `${days}:${rate}`)
    return { known: { dividends, rates }, name: [...expected, ...said].join(' ') }
  }

  /** Drops the held rates. None may be on their way. */
  renewRates(): void {
    this.#rates.clear()
  }

  /** Dividends that were expected at the moment of a snapshot. Indexes pay none. */
  async #dividends(symbol: Ticker, asOf: Instant): Promise<readonly Dividend[]> {
    if (securityKind(symbol) === 'index') return []
    const read = () => this.#history.dividends(symbol, asOf)
    return comingDividends(await this.#shared(`dividends ${symbol} ${asOf}`, read), asOf)
  }

  /**
   * The rate curve implied at the close of the session before, or published by then. Undefined: the archive has
   * neither.
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

  /** The list held under a name and its newest row if its rows are the same; otherwise the new list. */
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
