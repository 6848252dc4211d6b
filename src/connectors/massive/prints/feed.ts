import type { FrameListener } from '../../port/capture/capture.ts'
import type { PrintFeed } from '../../port/prints/print-feed.ts'
import { SerialQueue } from '../../port/prints/serial-queue.ts'
import { usualPauses } from '../../port/streams/keep-connected.ts'
import type { StreamBudget } from '../../port/streams/stream-budget.ts'
import { type MarketFeedTimes, marketFeed } from '../../whole-market/market-feed.ts'
import { listenToStream, type MarketStreamLimits } from '../../whole-market/market-stream.ts'
import type { Rest } from '../rest.ts'
import { LiveTrades } from './live-trades.ts'
import { pastTrades } from './past.ts'
import { followStream } from './stream.ts'

/** Times, milliseconds. */
export type PrintLimits = MarketStreamLimits & MarketFeedTimes

/** The vendor asks for a ping every 25 s and an answer in 30 (its client libraries). */
const usual: PrintLimits = {
  ...usualPauses,
  opening: 15_000,
  ping: 25_000,
  pong: 30_000,
  silence: 30_000,
  past: 120_000
}

export interface PrintFeedOptions {
  readonly key: string
  readonly stream: string
  readonly rest: Rest
  /** Seconds behind the market. */
  readonly delay: number
  readonly budget: StreamBudget
  readonly onFrame?: FrameListener | undefined
  readonly limits?: Partial<PrintLimits>
}

/** One channel for every trade of the market: the vendor has none for an underlying. */
const ALL_TRADES = 'T.*'

/** The trades of all listed options, of which those of the wanted symbols are told. */
export function createPrintFeed(options: PrintFeedOptions): PrintFeed {
  const { key, stream, rest, delay, budget, onFrame: onRaw, limits: given } = options
  const limits: PrintLimits = { ...usual, ...given }
  return marketFeed({
    delay,
    times: limits,
    listen: (sink, now) =>
      listenToStream({
        trades: new LiveTrades(sink, budget, now),
        follow: (each, signal) =>
          followStream({ ...each, address: `${stream}/options`, key, channel: ALL_TRADES }, signal),
        limits,
        onRaw,
        onRefused: sink.refused
      }),
    past: (asked) => pastTrades({ ...asked, rest }),
    turns: new SerialQueue()
  })
}
