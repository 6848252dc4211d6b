import type { Instant, Ticker } from '../../../market/units.ts'
import type { FrameListener } from '../../port/capture/capture.ts'
import type { PrintFeed, PrintSink } from '../../port/prints/print-feed.ts'
import { RecentTrades } from '../../port/prints/recent-trades.ts'
import { usualPauses } from '../../port/streams/keep-connected.ts'
import type { StreamBudget } from '../../port/streams/stream-budget.ts'
import { type MarketFeedTimes, marketFeed } from '../../whole-market/market-feed.ts'
import { WantedTrades } from '../../whole-market/wanted-trades.ts'
import type { ThetaDataRest } from '../thetadata-rest.ts'
import type { ThetaDataFrameSink } from './thetadata-frame.ts'
import { thetadataPastTrades } from './thetadata-past-trades.ts'
import type { PolledLimits } from './thetadata-polled-feed.ts'
import { followThetaDataStream, type ThetaDataStreamLimits } from './thetadata-stream.ts'
import { readThetaDataTrade, type ThetaDataTrade } from './thetadata-trade.ts'

/** Timeouts and intervals, milliseconds. */
export type ThetaDataPrintLimits = ThetaDataStreamLimits & MarketFeedTimes & PolledLimits

export const usualThetaDataPrints: ThetaDataPrintLimits = {
  ...usualPauses,
  opening: 15_000,
  silence: 5000,
  past: 180_000,
  poll: 30_000
}

export interface ThetaDataPrintOptions {
  readonly stream: string
  readonly rest: ThetaDataRest
  readonly budget: StreamBudget
  readonly onFrame?: FrameListener | undefined
  readonly limits?: Partial<ThetaDataPrintLimits> | undefined
}

/** Number of requests that each connection makes: subscribe and stop. Request ids must not repeat. */
const REQUESTS = 2

/**
 * Print feed from the vendor's stream of all option trades. It passes on the trades of the requested symbols. Gaps are
 * filled over REST.
 */
export function createPrintFeed(options: ThetaDataPrintOptions): PrintFeed {
  const { stream: address, rest, budget, onFrame: onRaw, limits: given } = options
  const limits: ThetaDataPrintLimits = { ...usualThetaDataPrints, ...given }
  let connections = 0
  return marketFeed({
    delay: 0,
    times: limits,
    listen(sink, now) {
      const trades = new ThetaDataLiveTrades(sink, budget, now)
      return {
        update: (wanted) => trades.update(wanted),
        connect: ({ opened, received }, signal) =>
          followThetaDataStream(
            {
              ...trades.sink,
              address,
              id: REQUESTS * connections++,
              limits,
              isWanted: trades.isWanted,
              onOpen: opened,
              onFrame: () => trades.flush(),
              onReceived: received,
              onRaw
            },
            signal
          )
      }
    },
    past: (asked) => thetadataPastTrades({ ...asked, rest })
  })
}

/** Minimum number of recent trades kept to recognize repeats; covers the busiest seconds of about a hundred symbols. */
const REMEMBERED = 50_000

/** Converts trades and quotes of the stream to tape messages of the requested symbols. */
export class ThetaDataLiveTrades {
  readonly #recent = new RecentTrades(REMEMBERED)
  readonly #trades: WantedTrades<ThetaDataTrade>
  readonly isWanted: (root: string) => boolean
  /**
   * Receives the trades and quotes of requested option roots in order. The quote of a trade comes just before the
   * trade.
   */
  readonly sink: Pick<ThetaDataFrameSink, 'trade' | 'quote' | 'refused'>

  constructor(out: PrintSink, budget: StreamBudget, now: () => Instant) {
    const isNew = (trade: ThetaDataTrade) => this.#recent.isNew(trade)
    this.#trades = new WantedTrades({ sink: out, budget, now, read: readThetaDataTrade, isNew })
    this.isWanted = this.#trades.isRootWanted
    this.sink = { trade: this.#trades.trade, quote: this.#trades.quote, refused: (reason) => out.refused(reason) }
  }

  update(wanted: readonly Ticker[]): void {
    this.#trades.update(wanted)
  }

  /** Passes on all messages collected since the previous call. */
  flush(): void {
    this.#trades.flush()
  }
}
