import { LRUCache } from 'lru-cache'
import { apiError } from '../api/error.ts'
import type { MaybePromise } from '../api/maybe-promise.ts'
import { type After, endsWithin } from '../facts/bounded-wait.ts'
import { FIRST_ROWS_WAIT, ROW_FLOW_SERVES, SCREENER_SERVES, STORED_RECORDS_SERVE } from '../facts/freshness.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { Screened, ScreenedRow, ScreenedSymbol, ScreenerRow } from '../screener/screener-row.ts'
import type { Engine } from '../workers/engine.ts'
import type { ArgsOf } from '../workers/tasks/tasks.ts'
import type { MarketEventBus, PastArchive } from './market-events.ts'

export interface ScreenerRowsOptions {
  readonly engine: Pick<Engine, 'run' | 'lend'>
  readonly events: MarketEventBus
  /** Symbols whose option chains are loaded; `chain` returns the chain of one of them. */
  readonly symbols: () => readonly Ticker[]
  readonly chain: (symbol: Ticker) => PricedChain | undefined
  /** Loads the inputs of a screener row besides the chain. Inputs that are not available in time are left out. */
  readonly inputsOf: (chain: PricedChain) => Promise<Omit<ArgsOf<'makeScreenerRow'>, 'chain' | 'tier'>>
  /** Symbols that are kept loaded, in the operator's order. */
  readonly universe: ReadonlyMap<Ticker, { readonly tier: 1 | 2 }>
  readonly presets: () => Screened['presets']
  readonly marketNow: () => Instant
  /** Clock of periods, milliseconds. */
  readonly steadyNow: () => number
  readonly after: After
}

/** A screener row, the chain from which it was computed, and when it was computed, milliseconds of the steady clock. */
interface Made {
  readonly row: ScreenerRow
  readonly chain: PricedChain
  /** Ends the use of the chain. */
  readonly release: () => void
  readonly at: number
}

const MAX_MAKING = 4

/**
 * Keeps a screener row for every loaded symbol. While somebody uses the screener, a row is recomputed whenever its
 * symbol gets a new chain. A screener request uses the rows that exist and never queries the data source. Only the
 * first request after a pause, and those that come before there is any row, wait briefly for rows.
 */
export class ScreenerRows {
  readonly #options: ScreenerRowsOptions
  readonly #made = new Map<Ticker, Made>()
  readonly #due = new Set<Ticker>()
  #making = 0
  #askedAt: number = Number.NEGATIVE_INFINITY
  #settled: Promise<void> | undefined
  #settle: () => void = () => {}
  readonly #ranks: ReadonlyMap<Ticker, number>

  constructor(options: ScreenerRowsOptions) {
    this.#options = options
    this.#ranks = new Map([...options.universe.keys()].map((symbol, rank) => [symbol, rank]))
    const { events, steadyNow } = options
    events.on('chainSwapped', ({ symbol }) => this.#renew(symbol))
    events.on('chainRestored', ({ symbol }) => this.#renew(symbol))
    events.on('recordsLearned', ({ symbol }) => this.#renew(symbol))
    events.on('daysWritten', ({ symbol }) => this.#renew(symbol))
    events.on('tapeMoved', ({ symbol }) => {
      const made = this.#made.get(symbol)
      if (made !== undefined && steadyNow() - made.at >= ROW_FLOW_SERVES) this.#renew(symbol)
    })
  }

  /**
   * Screener rows of the loaded symbols, ascending by symbol. `withChains` adds the option chains. Fails with
   * data_loading if the first rows are not made in time.
   */
  screened(withChains: boolean): MaybePromise<Screened> {
    const { steadyNow, symbols, after } = this.#options
    const wasActive = this.#isActive
    this.#askedAt = steadyNow()
    if (!wasActive) for (const symbol of symbols()) this.#renew(symbol)
    if (this.#settled === undefined || (wasActive && this.#made.size > 0)) return this.#listed(withChains)
    return endsWithin(this.#settled, FIRST_ROWS_WAIT, after).then(() => {
      if (this.#settled !== undefined && this.#made.size === 0) throw firstRowsLoading()
      return this.#listed(withChains)
    })
  }

  get #isActive(): boolean {
    return this.#options.steadyNow() - this.#askedAt < SCREENER_SERVES
  }

  #listed(withChains: boolean): Screened {
    const { universe, presets, marketNow, symbols, chain: heldOf } = this.#options
    const known = (symbol: Ticker): ScreenedSymbol => {
      return { symbol, rank: this.#ranks.get(symbol), tier: universe.get(symbol)?.tier }
    }
    const rows: ScreenedRow[] = []
    for (const [symbol, { row, chain }] of this.#made) {
      if (heldOf(symbol) === undefined) {
        this.#drop(symbol)
        continue
      }
      rows.push({ ...row, ...known(symbol), chain: withChains ? chain : undefined })
    }
    rows.sort((a, b) => (a.symbol < b.symbol ? -1 : 1))
    const wanted = new Set([...universe.keys(), ...symbols()])
    const missing = [...wanted].filter((symbol) => !this.#made.has(symbol)).map(known)
    return { now: marketNow(), rows, missing, presets: presets() }
  }

  #renew(symbol: Ticker): void {
    if (!this.#isActive) {
      for (const symbol of [...this.#made.keys()]) this.#drop(symbol)
      this.#due.clear()
      return
    }
    this.#due.add(symbol)
    this.#settled ??= new Promise((resolve) => {
      this.#settle = resolve
    })
    this.#makeNext()
  }

  #makeNext(): void {
    while (this.#making < MAX_MAKING && this.#due.size > 0) {
      const [symbol] = this.#due
      this.#due.delete(symbol)
      this.#making++
      // If computing the row fails, the previous row stays until the next chain arrives.
      void this.#make(symbol)
        .catch(() => {})
        .finally(() => {
          this.#making--
          this.#makeNext()
        })
    }
    if (this.#making > 0 || this.#due.size > 0) return
    this.#settle()
    this.#settled = undefined
  }

  async #make(symbol: Ticker): Promise<void> {
    const { engine, inputsOf, universe, steadyNow } = this.#options
    const chain = this.#options.chain(symbol)
    if (chain === undefined) return
    const release = engine.lend(chain)
    try {
      const known = await inputsOf(chain)
      const row = await engine.run('makeScreenerRow', { chain, tier: universe.get(symbol)?.tier, ...known })
      if (!this.#isActive) return
      this.#drop(symbol)
      this.#made.set(symbol, { row, chain, release: engine.lend(chain), at: steadyNow() })
    } finally {
      release()
    }
  }

  #drop(symbol: Ticker): void {
    this.#made.get(symbol)?.release()
    this.#made.delete(symbol)
  }
}

const firstRowsLoading = () =>
  apiError('data_loading', 'the rows of the screener are being made; try again shortly', { loading: 'screener rows' })

const MAX_SYMBOLS = 2000

/** Daily records that are already in the archive. Missing records are not computed, so reading is quick. */
export class StoredRecords {
  readonly #archive: Pick<PastArchive, 'records'> | undefined
  readonly #read = new LRUCache<
    Ticker,
    { readonly before: IsoDate; readonly records: Promise<readonly DailyRecord[]> }
  >({
    max: MAX_SYMBOLS,
    ttl: STORED_RECORDS_SERVE
  })

  constructor(archive: Pick<PastArchive, 'records'> | undefined, events: MarketEventBus) {
    this.#archive = archive
    events.on('recordsLearned', ({ symbol }) => void this.#read.delete(symbol))
    events.on('daysWritten', ({ symbol }) => void this.#read.delete(symbol))
  }

  /** The newest `count` records in the archive dated before a date, ascending. Empty if there are none. */
  async of(symbol: Ticker, before: IsoDate, count: number): Promise<readonly DailyRecord[]> {
    if (this.#archive === undefined) return []
    let read = this.#read.get(symbol)
    if (read?.before !== before) {
      const records = this.#archive.records(symbol, before, count).catch(() => [])
      this.#read.set(symbol, (read = { before, records }))
    }
    return read.records
  }
}
