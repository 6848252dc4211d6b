import type { Instant, Ticker } from '../../../market/units.ts'
import type { PrintSink } from '../../port/prints/print-feed.ts'
import type { StreamBudget } from '../../port/streams/stream-budget.ts'
import { WantedTrades } from '../../whole-market/wanted-trades.ts'
import { readFrame } from './frame.ts'
import type { Connection } from './stream.ts'
import { readTrade, type Trade } from './trade.ts'

/** Makes the frames of the stream into messages of the tapes of wanted symbols. */
export class LiveTrades {
  readonly #sink: PrintSink
  readonly #trades: WantedTrades<Trade>
  #connection: Connection | undefined

  constructor(sink: PrintSink, budget: StreamBudget, now: () => Instant) {
    this.#sink = sink
    this.#trades = new WantedTrades({ sink, budget, now, read: readTrade })
  }

  /** A new connection knows of no quotes. */
  begin(): void {
    this.#trades.begin()
  }

  /** Looks at what is wanted, and has the quotes of what trades streamed. */
  look(wanted: readonly Ticker[]): void {
    const { begin, end } = this.#trades.look(wanted)
    if (end.length > 0) this.#connection?.quotes('unsubscribe', end)
    if (begin.length > 0) this.#connection?.quotes('subscribe', begin)
  }

  /** Takes a frame; false where nothing of the market was in it. */
  take(bytes: Uint8Array, connection: Connection): boolean {
    this.#connection = connection
    const { trade, quote, isWanted } = this.#trades
    const { success, error, subscribed } = connection
    const refused = (reason: string) => this.#sink.refused(reason)
    readFrame(bytes, isWanted, { success, error, subscribed, trade, quote, refused })
    return this.#trades.flush()
  }
}
