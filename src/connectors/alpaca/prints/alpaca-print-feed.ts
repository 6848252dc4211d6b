import type { Instant, Ticker } from '../../../market/units.ts'
import type { FrameListener } from '../../port/capture/capture.ts'
import type { PrintFeed, PrintSink } from '../../port/prints/print-feed.ts'
import { SerialQueue } from '../../port/prints/serial-queue.ts'
import { usualPauses } from '../../port/streams/keep-connected.ts'
import type { StreamBudget } from '../../port/streams/stream-budget.ts'
import { type MarketFeedTimes, marketFeed } from '../../whole-market/market-feed.ts'
import { listenToStream, type MarketStreamLimits } from '../../whole-market/market-stream.ts'
import { WantedTrades } from '../../whole-market/wanted-trades.ts'
import type { AlpacaKeys, AlpacaRest } from '../alpaca-rest.ts'
import { readAlpacaFrame } from './alpaca-frame.ts'
import { alpacaPastTrades } from './alpaca-past-trades.ts'
import { type AlpacaConnection, followAlpacaStream } from './alpaca-stream.ts'
import { type AlpacaTrade, readAlpacaTrade } from './alpaca-trade.ts'

/** Timeouts and intervals of the stream, milliseconds. */
export type AlpacaPrintLimits = MarketStreamLimits & MarketFeedTimes

const usual: AlpacaPrintLimits = {
  ...usualPauses,
  opening: 15_000,
  ping: 20_000,
  pong: 20_000,
  silence: 30_000,
  past: 120_000
}

export interface AlpacaPrintOptions {
  readonly keys: AlpacaKeys
  /** Address of the stream without its path, e.g. `wss://stream.data.alpaca.markets`. */
  readonly stream: string
  /** Option feed: `indicative` or `opra`. */
  readonly feed: string
  /** Delay of the trades, seconds. */
  readonly delay: number
  readonly rest: AlpacaRest
  readonly budget: StreamBudget
  readonly onFrame?: FrameListener | undefined
  readonly limits?: Partial<AlpacaPrintLimits> | undefined
}

/** Print feed from the vendor's stream of all option trades. It passes on the trades of the requested symbols. */
export function createPrintFeed(options: AlpacaPrintOptions): PrintFeed {
  const { keys, stream, feed, delay, rest, budget, onFrame: onRaw, limits: given } = options
  const limits: AlpacaPrintLimits = { ...usual, ...given }
  return marketFeed({
    delay,
    times: limits,
    listen: (sink, now) =>
      listenToStream({
        trades: new AlpacaLiveTrades(sink, budget, now),
        follow: (each, signal) => followAlpacaStream({ ...each, address: `${stream}/v1beta1/${feed}`, keys }, signal),
        limits,
        onRaw,
        onRefused: sink.refused
      }),
    // The vendor refuses free accounts data newer than the delay.
    past: (asked) => alpacaPastTrades({ ...asked, rest, feed }),
    queue: new SerialQueue()
  })
}

/** Converts stream frames to tape messages of the requested symbols. */
export class AlpacaLiveTrades {
  readonly #sink: PrintSink
  readonly #trades: WantedTrades<AlpacaTrade>
  #connection: AlpacaConnection | undefined

  constructor(sink: PrintSink, budget: StreamBudget, now: () => Instant) {
    this.#sink = sink
    this.#trades = new WantedTrades({ sink, budget, now, read: readAlpacaTrade })
  }

  /** Resets the quote subscriptions for a new connection. */
  begin(): void {
    this.#trades.begin()
  }

  /** Sets the requested symbols. Subscribes to the quotes of their contracts that trade. */
  update(wanted: readonly Ticker[]): void {
    const { begin, end } = this.#trades.update(wanted)
    if (end.length > 0) this.#connection?.quotes('unsubscribe', end)
    if (begin.length > 0) this.#connection?.quotes('subscribe', begin)
  }

  /** Reads a frame; returns whether the frame held market data. */
  take(bytes: Uint8Array, connection: AlpacaConnection): boolean {
    this.#connection = connection
    const { trade, quote, isWanted } = this.#trades
    const { success, error, subscribed } = connection
    const refused = (reason: string) => this.#sink.refused(reason)
    readAlpacaFrame(bytes, isWanted, { success, error, subscribed, trade, quote, refused })
    return this.#trades.flush()
  }
}
