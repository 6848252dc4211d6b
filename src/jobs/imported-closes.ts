import { setImmediate } from 'node:timers/promises'
import type { ChainSnapshot, HistoryStore } from '../archive/history-store.ts'
import { previousTradingDay, session } from '../market/calendar.ts'
import { withDividends } from '../market/dividend.ts'
import { easternDate } from '../market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { Assumptions } from '../pricing/assumptions.ts'
import { giveBackPricing, type PricedChain, priceChain } from '../pricing/price-chain.ts'
import { type ClosingFigures, closingFigures } from '../signals/daily-record-measures.ts'
import { fittedSmile } from '../volatility/smile/smile-volatility.ts'

/** What a closing chain that an import has written gives for a daily record. */
export interface ImportedClose {
  /** Tells a close from one that replaced it. */
  readonly number: number
  readonly asOf: Instant
  readonly figures: ClosingFigures
  /** Number of the close of the session before, by which its bands were judged; undefined if it was not at hand. */
  readonly evening: number | undefined
}

interface PricedClose {
  readonly number: number
  readonly chain: PricedChain
}

export interface ImportedClosesOptions {
  readonly store: Pick<HistoryStore, 'dividends'>
  readonly assumptions: Assumptions
  readonly signal: AbortSignal
}

/** Limit on the contracts of priced chains that are kept for the session after, some 150 bytes each. */
const KEPT_CONTRACTS = 200_000

/**
 * Prices closing chains as they are written, while they are at hand, so that a daily record needs nothing but the bars
 * later. A session has the newest of its closes.
 */
export class ImportedCloses {
  readonly #options: ImportedClosesOptions
  readonly #closes = new Map<Ticker, Map<IsoDate, ImportedClose>>()
  /** The newest priced close of each symbol; the symbol of the last one comes last. */
  readonly #priced = new Map<Ticker, PricedClose>()
  #contracts = 0
  #last = 0

  constructor(options: ImportedClosesOptions) {
    this.#options = options
  }

  of(symbol: Ticker, date: IsoDate): ImportedClose | undefined {
    return this.#closes.get(symbol)?.get(date)
  }

  /** Prices those of the snapshots that are closes. Other work of the thread may run between two of them. */
  async add(snapshots: readonly ChainSnapshot[]): Promise<void> {
    for (const snapshot of snapshots) {
      if (this.#options.signal.aborted) return
      if (!isClose(snapshot)) continue
      await this.#add(snapshot)
      await setImmediate()
    }
  }

  async #add({ chain: written }: ChainSnapshot): Promise<void> {
    const { store, assumptions } = this.#options
    const { symbol, asOf } = written
    const date = easternDate(asOf)
    const known = this.of(symbol, date)
    if (known !== undefined && known.asOf > asOf) return
    const chain = priceChain(withDividends(written, await store.dividends(symbol, asOf)), assumptions, fittedSmile)
    const before = this.#priced.get(symbol)
    const isEvening = before !== undefined && easternDate(before.chain.asOf) === previousTradingDay(date)
    const number = ++this.#last
    const figures = closingFigures(chain, isEvening ? before.chain : undefined)
    this.#keep(symbol, { number, chain })
    const ofSymbol = this.#closes.get(symbol) ?? new Map<IsoDate, ImportedClose>()
    this.#closes.set(symbol, ofSymbol)
    ofSymbol.set(date, { number, asOf, figures, evening: isEvening ? before.number : undefined })
  }

  #keep(symbol: Ticker, close: PricedClose): void {
    this.#drop(symbol)
    this.#priced.set(symbol, close)
    this.#contracts += close.chain.size
    for (const other of this.#priced.keys()) if (this.#contracts > KEPT_CONTRACTS) this.#drop(other)
  }

  #drop(symbol: Ticker): void {
    const close = this.#priced.get(symbol)
    if (close === undefined) return
    this.#priced.delete(symbol)
    this.#contracts -= close.chain.size
    giveBackPricing(close.chain)
  }
}

/** Whether a snapshot was taken at the close of its session or later on its day. */
export function isClose({ chain: { asOf } }: ChainSnapshot): boolean {
  return asOf >= (session(easternDate(asOf))?.close ?? Number.POSITIVE_INFINITY)
}
