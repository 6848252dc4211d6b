import type { FrameListener } from '../../port/capture/capture.ts'
import type { PrintFeed } from '../../port/prints/print-feed.ts'
import { usualPauses } from '../../port/streams/keep-connected.ts'
import type { StreamBudget } from '../../port/streams/stream-budget.ts'
import { type MarketFeedTimes, marketFeed } from '../../whole-market/market-feed.ts'
import type { Rest } from '../rest.ts'
import { LiveTrades } from './live-trades.ts'
import { pastTrades } from './past.ts'
import type { PolledLimits } from './polled-feed.ts'
import { followStream, type StreamLimits } from './stream.ts'

/** Times, milliseconds. */
export type PrintLimits = StreamLimits & MarketFeedTimes & PolledLimits

export const usualPrints: PrintLimits = {
  ...usualPauses,
  opening: 15_000,
  silence: 5000,
  past: 180_000,
  poll: 30_000
}

export interface PrintFeedOptions {
  /** The address of the terminal's socket. */
  readonly stream: string
  readonly rest: Rest
  readonly budget: StreamBudget
  readonly onFrame?: FrameListener | undefined
  readonly limits?: Partial<PrintLimits> | undefined
}

/** A connection makes two requests, the subscription and its end, whose numbers may not come twice. */
const REQUESTS = 2

/** The trades of all listed options, of which those of the wanted symbols are told; what was missed is read by REST. */
export function createPrintFeed(options: PrintFeedOptions): PrintFeed {
  const { stream: address, rest, budget, onFrame: onRaw, limits: given } = options
  const limits: PrintLimits = { ...usualPrints, ...given }
  let connections = 0
  return marketFeed({
    delay: 0,
    times: limits,
    listen(sink, now) {
      const trades = new LiveTrades(sink, budget, now)
      return {
        look: (wanted) => trades.look(wanted),
        connect: ({ opened, told }, signal) =>
          followStream(
            {
              ...trades.sink,
              address,
              id: REQUESTS * connections++,
              limits,
              isWanted: trades.isWanted,
              onOpen: opened,
              onFrame: () => trades.flush(),
              onHeard: told,
              onRaw
            },
            signal
          )
      }
    },
    past: (asked) => pastTrades({ ...asked, rest })
  })
}
