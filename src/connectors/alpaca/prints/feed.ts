import type { FrameListener } from '../../port/capture/capture.ts'
import type { PrintFeed } from '../../port/prints/print-feed.ts'
import { SerialQueue } from '../../port/prints/serial-queue.ts'
import { usualPauses } from '../../port/streams/keep-connected.ts'
import type { StreamBudget } from '../../port/streams/stream-budget.ts'
import { type MarketFeedTimes, marketFeed } from '../../whole-market/market-feed.ts'
import { listenToStream, type MarketStreamLimits } from '../../whole-market/market-stream.ts'
import type { AlpacaKeys, Rest } from '../rest.ts'
import { LiveTrades } from './live-trades.ts'
import { pastTrades } from './past.ts'
import { followStream } from './stream.ts'

/** Times, milliseconds. */
export type PrintLimits = MarketStreamLimits & MarketFeedTimes

const usual: PrintLimits = {
  ...usualPauses,
  opening: 15_000,
  ping: 20_000,
  pong: 20_000,
  silence: 30_000,
  past: 120_000
}

export interface PrintFeedOptions {
  readonly keys: AlpacaKeys
  /** The address of the sockets without the feed. */
  readonly stream: string
  /** Of options: `indicative` or `opra`. */
  readonly feed: string
  /** Seconds that its trades are behind the market. */
  readonly delay: number
  readonly rest: Rest
  readonly budget: StreamBudget
  readonly onFrame?: FrameListener | undefined
  readonly limits?: Partial<PrintLimits> | undefined
}

/** The trades of all listed options, of which those of the wanted symbols are told. */
export function createPrintFeed(options: PrintFeedOptions): PrintFeed {
  const { keys, stream, feed, delay, rest, budget, onFrame: onRaw, limits: given } = options
  const limits: PrintLimits = { ...usual, ...given }
  return marketFeed({
    delay,
    times: limits,
    listen: (sink, now) =>
      listenToStream({
        trades: new LiveTrades(sink, budget, now),
        follow: (each, signal) => followStream({ ...each, address: `${stream}/v1beta1/${feed}`, keys }, signal),
        limits,
        onRaw,
        onRefused: sink.refused
      }),
    // An account without a plan may not ask for what is newer than its delay.
    past: (asked) => pastTrades({ ...asked, rest, feed }),
    turns: new SerialQueue()
  })
}
