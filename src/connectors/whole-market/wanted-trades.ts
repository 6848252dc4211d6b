import type { Instant, Ticker } from '../../market/units.ts'
import { WantedRoots } from '../../market/wanted-roots.ts'
import type { PrintSink, QuoteAtPrint, TapeMessage } from '../port/prints/print-feed.ts'
import { type QuoteChanges, QuoteSubscriptions } from '../port/streams/quote-subscriptions.ts'
import type { StreamBudget } from '../port/streams/stream-budget.ts'

/** The best bid and offer of a contract, USD per share. */
export interface ContractQuote extends QuoteAtPrint {
  readonly contract: string
}

/** What a trade is on a tape, or why it is not on it. */
export type TradeRead = { readonly message: TapeMessage } | { readonly refused: string }

export interface WantedTradesOptions<Trade> {
  readonly sink: PrintSink
  /** Of how many contracts quotes are streamed at once. */
  readonly budget: StreamBudget
  readonly now: () => Instant
  /** A trade as message of the tape of a symbol. */
  readonly read: (trade: Trade, symbol: Ticker) => TradeRead
  /** Whether a trade comes for the first time; undefined: the vendor gives nothing to tell it by. */
  readonly isNew?: (trade: Trade) => boolean
}

/** Makes what is told of the whole market into messages of the tapes of wanted symbols. */
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

  /** A new connection knows of no quotes. */
  begin(): void {
    this.#quotes.clear()
  }

  /** Looks at what is wanted; returns of which contracts quotes are to be streamed, and of which no more. */
  look(wanted: readonly Ticker[]): QuoteChanges {
    this.#roots.want(wanted)
    return this.#quotes.changes(this.#options.now())
  }

  /** Whether trades and quotes of a contract are read at all. */
  readonly isWanted = (contract: string): boolean => {
    this.#isOfMarket = true
    return this.#roots.symbolOf(contract) !== undefined
  }

  /** The same of all contracts of a root. */
  readonly isRootWanted = (root: string): boolean => {
    this.#isOfMarket = true
    return this.#roots.symbolOfRoot(root) !== undefined
  }

  /** Takes a trade of a contract that is wanted. */
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

  /** Takes a quote of a contract that is wanted. */
  readonly quote = (quote: ContractQuote): void => {
    this.#batch.push({ quote: { ...quote, symbol: this.#roots.symbolOf(quote.contract)! } })
  }

  /** Hands on what a frame told; false where nothing of the market was in it. */
  flush(): boolean {
    const [batch, isOfMarket] = [this.#batch, this.#isOfMarket]
    this.#batch = []
    this.#isOfMarket = false
    if (batch.length > 0) this.#options.sink.messages(batch)
    return isOfMarket
  }
}
