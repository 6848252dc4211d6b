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

/** Times, milliseconds. */
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
  /** The address of the sockets without the feed. */
  readonly stream: string
  /** Of options: `indicative` or `opra`. */
  readonly feed: string
  /** Seconds that its trades are behind the market. */
  readonly delay: number
  readonly rest: AlpacaRest
  readonly budget: StreamBudget
  readonly onFrame?: FrameListener | undefined
  readonly limits?: Partial<AlpacaPrintLimits> | undefined
}

/** The trades of all listed options, of which those of the wanted symbols are told. */
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
    // An account without a plan may not ask for what is newer than its delay.
    past: (asked) => alpacaPastTrades({ ...asked, rest, feed }),
    turns: new SerialQueue()
  })
}

/** Makes the frames of the stream into messages of the tapes of wanted symbols. */
export class AlpacaLiveTrades {
  readonly #sink: PrintSink
  readonly #trades: WantedTrades<AlpacaTrade>
  #connection: AlpacaConnection | undefined

  constructor(sink: PrintSink, budget: StreamBudget, now: () => Instant) {
    this.#sink = sink
    this.#trades = new WantedTrades({ sink, budget, now, read: readAlpacaTrade })
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
  take(bytes: Uint8Array, connection: AlpacaConnection): boolean {
    this.#connection = connection
    const { trade, quote, isWanted } = this.#trades
    const { success, error, subscribed } = connection
    const refused = (reason: string) => this.#sink.refused(reason)
    readAlpacaFrame(bytes, isWanted, { success, error, subscribed, trade, quote, refused })
    return this.#trades.flush()
  }
}
