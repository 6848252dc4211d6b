import type { Instant, Ticker } from '../../../market/units.ts'
import { WantedRoots } from '../../../market/wanted-roots.ts'
import type { PrintSink, TapeMessage } from '../../port/prints.ts'
import { QuoteSubscriptions } from '../../port/quote-subscriptions.ts'
import { type MessageSink, readFrame } from './frame.ts'
import type { Connection } from './stream.ts'
import { readTrade } from './trade.ts'

/** Makes the frames of the stream into messages of the tapes of wanted symbols. */
export class LiveTrades {
  readonly #sink: PrintSink
  readonly #now: () => Instant
  readonly #roots = new WantedRoots()
  readonly #quotes: QuoteSubscriptions
  #connection: Connection | undefined

  /** `quotes`: contracts of which quotes are streamed at once. */
  constructor(sink: PrintSink, quotes: number, now: () => Instant) {
    this.#sink = sink
    this.#quotes = new QuoteSubscriptions(quotes)
    this.#now = now
  }

  /** A new connection knows of no quotes. */
  begin(): void {
    this.#quotes.clear()
  }

  /** Looks at what is wanted, and has the quotes of what trades streamed. */
  look(wanted: readonly Ticker[]): void {
    this.#roots.want(wanted)
    const { begin, end } = this.#quotes.changes(this.#now())
    if (end.length > 0) this.#connection?.quotes('unsubscribe', end)
    if (begin.length > 0) this.#connection?.quotes('subscribe', begin)
  }

  /** Takes a frame; false where nothing of the market was in it. */
  take(bytes: Uint8Array, connection: Connection): boolean {
    this.#connection = connection
    const batch: TapeMessage[] = []
    let isOfMarket = false
    const isWanted = (contract: string) => {
      isOfMarket = true
      return this.#roots.symbolOf(contract) !== undefined
    }
    readFrame(bytes, isWanted, this.#messagesInto(batch, connection))
    if (batch.length > 0) this.#sink.messages(batch)
    return isOfMarket
  }

  #messagesInto(batch: TapeMessage[], connection: Connection): MessageSink {
    return {
      success: (message) => connection.success(message),
      error: (code, message) => connection.error(code, message),
      subscribed: () => connection.subscribed(),
      trade: (trade) => {
        const { contract } = trade
        const symbol = this.#roots.symbolOf(contract)!
        const found = readTrade(trade, symbol)
        if ('message' in found) batch.push(found.message)
        else this.#sink.refused(found.refused, symbol)
        this.#quotes.traded(contract, this.#now())
      },
      quote: ({ contract, ...quote }) => {
        batch.push({ quote: { ...quote, contract, symbol: this.#roots.symbolOf(contract)! } })
      },
      refused: (reason) => this.#sink.refused(reason)
    }
  }
}
