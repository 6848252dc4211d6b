import type { HistoryStore } from '../archive/history-store.ts'
import { comingDividends, type Dividend } from '../market/dividend.ts'
import type { FigureRow } from '../market/figure-row.ts'
import type { Ticker } from '../market/units.ts'
import { DEFAULT_RATES, rateAt } from '../pricing/assumptions.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { Engine } from '../workers/engine.ts'
import type { PricingContext } from '../workers/tasks/task.ts'
import { ArchiveReader } from './archive-reader.ts'

export interface LiveFiguresOptions {
  readonly store: HistoryStore
  readonly engine: Pick<Engine, 'run' | 'forget'>
  /** Index whose options imply interest rates; undefined if the operator or the source gives the rates. */
  readonly ratesIndex: Ticker | undefined
}

/** A row computed from a live chain, and the dividends and rates with which the chain was priced. */
interface LiveRow {
  readonly row: FigureRow
  readonly dividends: readonly Dividend[]
  readonly carries: readonly { readonly days: number; readonly rate: number }[]
}

/**
 * Maximum number of rows queued while the archive refuses writes. Further rows are computed from their snapshots later.
 */
const MAX_WAITING = 10_000

/**
 * Writes the figures of chains that were priced live, but only if the archive would price them with the same dividends
 * and rates. If the live market used slightly older ones, the row is dropped and computed from its snapshot later.
 */
export class LiveFigures {
  readonly #options: LiveFiguresOptions
  readonly #archive: ArchiveReader
  #waiting: readonly LiveRow[] = []

  constructor(options: LiveFiguresOptions) {
    const { store, engine, ratesIndex } = options
    this.#options = options
    this.#archive = new ArchiveReader(store, engine, { ratesIndex })
  }

  /** Queues a row. Returns true if the queue was empty, in which case the caller must request a write. */
  take({ dividends = [], carries }: PricedChain, row: FigureRow): boolean {
    if (this.#waiting.length >= MAX_WAITING) return false
    const live = { row, dividends, carries: carries.map(({ days, rate }) => ({ days, rate })) }
    this.#waiting = [...this.#waiting, live]
    return this.#waiting.length === 1
  }

  /** Writes the queued rows. Their snapshots must have been written before. */
  async write(): Promise<void> {
    const { store } = this.#options
    const rows = this.#waiting
    this.#waiting = []
    try {
      const knownAt = await store.clock() // must be read before the dividends and rates
      this.#archive.renewRates()
      const good: FigureRow[] = []
      for (const live of rows) if (await this.#isAsArchived(live)) good.push(live.row)
      await store.writeFigures(good, knownAt)
    } catch (error) {
      this.#waiting = [...rows, ...this.#waiting]
      throw error
    }
  }

  async #isAsArchived({ row: { symbol, asOf }, dividends, carries }: LiveRow): Promise<boolean> {
    const { known } = await this.#archive.pricingInputs(symbol, asOf)
    const expected = comingDividends(known.dividends ?? [], asOf)
    const isSame = ({ exDate, amount }: Dividend, k: number) =>
      exDate === expected[k].exDate && amount === expected[k].amount
    return dividends.length === expected.length && dividends.every(isSame) && this.#hasRates(carries, known)
  }

  #hasRates(carries: LiveRow['carries'], { rates = DEFAULT_RATES }: PricingContext): boolean {
    if (this.#options.ratesIndex === undefined) return true
    return carries.every(({ days, rate }) => rate === rateAt(rates, days))
  }
}
