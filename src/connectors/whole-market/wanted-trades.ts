import type { Instant, Ticker } from '../../market/units.ts'
import { WantedRoots } from '../../market/wanted-roots.ts'
import type { PrintSink, QuoteAtPrint, TapeMessage } from '../port/prints/print-feed.ts'
import { type QuoteChanges, QuoteSubscriptions } from '../port/streams/quote-subscriptions.ts'
import type { StreamBudget } from '../port/streams/stream-budget.ts'

export interface ContractQuote extends QuoteAtPrint {
  readonly contract: string
}

/** The tape message for a trade, or the reason why the trade is not used. */
export type TradeRead = { readonly message: TapeMessage } | { readonly refused: string }

export interface WantedTradesOptions<Trade> {
  readonly sink: PrintSink
  readonly budget: StreamBudget
  readonly now: () => Instant
  /** Converts a trade into a message for the tape of `symbol`. */
  readonly read: (trade: Trade, symbol: Ticker) => TradeRead
  /** Whether a trade arrives for the first time; undefined if the vendor gives no way to recognize repeats. */
  readonly isNew?: (trade: Trade) => boolean
}

/** Converts the trades of the whole market into tape messages of the requested symbols. */
export class WantedTrades<Trade extends { readonly contract: string }> {
  readonly #options: WantedTradesOptions<Trade>
  readonly #roots = new WantedRoots()
  readonly #quotes: QuoteSubscriptions
  #batch: TapeMessage[] = []
  #isOfMarket = false

  constructor(options: WantedTradesOptions<Trade>) {
    this.#options = options
    this.#quotes = new QuoteSubscriptions(options.budget)
  }

  begin(): void {
    this.#quotes.clear()
  }

  /** Updates the requested symbols and returns which quote subscriptions to begin and end. */
  update(wanted: readonly Ticker[]): QuoteChanges {
    this.#roots.want(wanted)
    return this.#quotes.changes(this.#options.now())
  }

  /** Whether the contract's symbol is requested. A call also records that the frame held market data. */
  readonly isWanted = (contract: string): boolean => {
    this.#isOfMarket = true
    return this.#roots.symbolOf(contract) !== undefined
  }

  /** Whether the symbol of an option root is requested. A call also records that the frame held market data. */
  readonly isRootWanted = (root: string): boolean => {
    this.#isOfMarket = true
    return this.#roots.symbolOfRoot(root) !== undefined
  }

  readonly trade = (trade: Trade): void => {
    const { sink, now, read, isNew } = this.#options
    if (isNew?.(trade) === false) return
    const { contract } = trade
    const symbol = this.#roots.symbolOf(contract)!
    const found = read(trade, symbol)
    if ('message' in found) this.#batch.push(found.message)
    else sink.refused(found.refused, symbol)
    this.#quotes.traded(contract, now())
  }

  readonly quote = (quote: ContractQuote): void => {
    this.#batch.push({ quote: { ...quote, symbol: this.#roots.symbolOf(quote.contract)! } })
  }

  flush(): boolean {
    const [batch, isOfMarket] = [this.#batch, this.#isOfMarket]
    this.#batch = []
    this.#isOfMarket = false
    if (batch.length > 0) this.#options.sink.messages(batch)
    return isOfMarket
  }
}
