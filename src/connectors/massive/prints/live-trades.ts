import type { Instant, Ticker } from '../../../market/units.ts'
import type { PrintSink } from '../../port/prints/print-feed.ts'
import { RecentTrades } from '../../port/prints/recent-trades.ts'
import type { StreamBudget } from '../../port/streams/stream-budget.ts'
import { WantedTrades } from '../../whole-market/wanted-trades.ts'
import { readFrame } from './frame.ts'
import type { Connection } from './stream.ts'
import { readTrade, type Trade } from './trade.ts'

/** Trades that are remembered at least: the busiest seconds of some hundred symbols. */
const REMEMBERED = 50_000

/** Makes the frames of the stream into messages of the tapes of wanted symbols. */
export class LiveTrades {
  readonly #sink: PrintSink
  readonly #recent = new RecentTrades(REMEMBERED)
  readonly #trades: WantedTrades<Trade>
  #connection: Connection | undefined

  constructor(sink: PrintSink, budget: StreamBudget, now: () => Instant) {
    this.#sink = sink
    this.#trades = new WantedTrades({ sink, budget, now, read: readTrade, isNew: (trade) => this.#recent.isNew(trade) })
  }

  /** A new connection knows of no quotes. */
  begin(): void {
    this.#trades.begin()
  }

  /** Looks at what is wanted, and has the quotes of what trades streamed. */
  look(wanted: readonly Ticker[]): void {
    const { begin, end } = this.#trades.look(wanted)
    const channels = (contracts: readonly string[]) => contracts.map((contract) => `Q.O:${contract}`)
    if (end.length > 0) this.#connection?.send('unsubscribe', channels(end))
    if (begin.length > 0) this.#connection?.send('subscribe', channels(begin))
  }

  /** Takes a frame; false where nothing of the market was in it. */
  take(text: string, connection: Connection): boolean {
    this.#connection = connection
    const { trade, quote, isWanted } = this.#trades
    readFrame(text, isWanted, {
      status: connection.status,
      trade,
      quote,
      refused: (reason) => this.#sink.refused(reason)
    })
    return this.#trades.flush()
  }
}
