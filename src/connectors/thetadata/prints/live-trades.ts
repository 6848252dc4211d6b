import type { Instant, Ticker } from '../../../market/units.ts'
import type { PrintSink } from '../../port/prints/print-feed.ts'
import { RecentTrades } from '../../port/prints/recent-trades.ts'
import type { StreamBudget } from '../../port/streams/stream-budget.ts'
import { WantedTrades } from '../../whole-market/wanted-trades.ts'
import type { FrameSink } from './frame.ts'
import { readTrade, type Trade } from './trade.ts'

/** Trades that are remembered at least: the busiest seconds of some hundred symbols. */
const REMEMBERED = 50_000

/** Makes what the stream tells into messages of the tapes of wanted symbols. */
export class LiveTrades {
  readonly #recent = new RecentTrades(REMEMBERED)
  readonly #trades: WantedTrades<Trade>
  readonly isWanted: (root: string) => boolean
  /** Takes the frames of wanted roots, in their order: the quote that stood before a trade comes before it. */
  readonly sink: Pick<FrameSink, 'trade' | 'quote' | 'refused'>

  constructor(out: PrintSink, budget: StreamBudget, now: () => Instant) {
    const isNew = (trade: Trade) => this.#recent.isNew(trade)
    this.#trades = new WantedTrades({ sink: out, budget, now, read: readTrade, isNew })
    this.isWanted = this.#trades.isRootWanted
    this.sink = { trade: this.#trades.trade, quote: this.#trades.quote, refused: (reason) => out.refused(reason) }
  }

  look(wanted: readonly Ticker[]): void {
    this.#trades.look(wanted)
  }

  /** Hands on what came since the last time. */
  flush(): void {
    this.#trades.flush()
  }
}
