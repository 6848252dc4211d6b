import type { Instant, Ticker } from '../../../market/units.ts'
import type { FrameListener } from '../../port/capture/capture.ts'
import type { PrintFeed, PrintSink } from '../../port/prints/print-feed.ts'
import { RecentTrades } from '../../port/prints/recent-trades.ts'
import { SerialQueue } from '../../port/prints/serial-queue.ts'
import { usualPauses } from '../../port/streams/keep-connected.ts'
import type { StreamBudget } from '../../port/streams/stream-budget.ts'
import { type MarketFeedTimes, marketFeed } from '../../whole-market/market-feed.ts'
import { listenToStream, type MarketStreamLimits } from '../../whole-market/market-stream.ts'
import { WantedTrades } from '../../whole-market/wanted-trades.ts'
import type { MassiveRest } from '../massive-rest.ts'
import { readMassiveFrame } from './massive-frame.ts'
import { massivePastTrades } from './massive-past-trades.ts'
import { followMassiveStream, type MassiveConnection } from './massive-stream.ts'
import { type MassiveTrade, readMassiveTrade } from './massive-trade.ts'

/** Timeouts and intervals of the stream, milliseconds. */
export type MassivePrintLimits = MarketStreamLimits & MarketFeedTimes

/** The vendor expects a ping every 25 s and answers within 30 s (source: its client libraries). */
const usual: MassivePrintLimits = {
  ...usualPauses,
  opening: 15_000,
  ping: 25_000,
  pong: 30_000,
  silence: 30_000,
  past: 120_000
}

export interface MassivePrintOptions {
  readonly key: string
  readonly stream: string
  readonly rest: MassiveRest
  /** Delay of the data that the account's plan provides, seconds. */
  readonly delay: number
  readonly budget: StreamBudget
  readonly onFrame?: FrameListener | undefined
  readonly limits?: Partial<MassivePrintLimits>
}

/** Channel of all trades of the market; there is no channel per underlying. */
const ALL_TRADES = 'T.*'

/** Print feed from the vendor's stream of all option trades. It passes on the trades of the requested symbols. */
export function createPrintFeed(options: MassivePrintOptions): PrintFeed {
  const { key, stream, rest, delay, budget, onFrame: onRaw, limits: given } = options
  const limits: MassivePrintLimits = { ...usual, ...given }
  return marketFeed({
    delay,
    times: limits,
    listen: (sink, now) =>
      listenToStream({
        trades: new MassiveLiveTrades(sink, budget, now),
        follow: (each, signal) =>
          followMassiveStream({ ...each, address: `${stream}/options`, key, channel: ALL_TRADES }, signal),
        limits,
        onRaw,
        onRefused: sink.refused
      }),
    past: (asked) => massivePastTrades({ ...asked, rest }),
    queue: new SerialQueue()
  })
}

/** Minimum number of recent trades kept to recognize repeats; covers the busiest seconds of about a hundred symbols. */
const REMEMBERED = 50_000

/** Converts stream frames to tape messages of the requested symbols. */
export class MassiveLiveTrades {
  readonly #sink: PrintSink
  readonly #recent = new RecentTrades(REMEMBERED)
  readonly #trades: WantedTrades<MassiveTrade>
  #connection: MassiveConnection | undefined

  constructor(sink: PrintSink, budget: StreamBudget, now: () => Instant) {
    this.#sink = sink
    this.#trades = new WantedTrades({
      sink,
      budget,
      now,
      read: readMassiveTrade,
      isNew: (trade) => this.#recent.isNew(trade)
    })
  }

  /** Resets the quote subscriptions for a new connection. */
  begin(): void {
    this.#trades.begin()
  }

  /** Sets the requested symbols. Subscribes to the quotes of their contracts that trade. */
  update(wanted: readonly Ticker[]): void {
    const { begin, end } = this.#trades.update(wanted)
    const channels = (contracts: readonly string[]) => contracts.map((contract) => `Q.O:${contract}`)
    if (end.length > 0) this.#connection?.send('unsubscribe', channels(end))
    if (begin.length > 0) this.#connection?.send('subscribe', channels(begin))
  }

  /** Reads a frame; returns whether the frame held market data. */
  take(text: string, connection: MassiveConnection): boolean {
    this.#connection = connection
    const { trade, quote, isWanted } = this.#trades
    readMassiveFrame(text, isWanted, {
      status: connection.status,
      trade,
      quote,
      refused: (reason) => this.#sink.refused(reason)
    })
    return this.#trades.flush()
  }
}
