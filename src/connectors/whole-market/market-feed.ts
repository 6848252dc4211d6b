import { isBusyMarket } from '../../market/clock.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { boundedPast } from '../port/prints/bounded-past.ts'
import type { PrintFeed, PrintSink, TapeMessage } from '../port/prints/print-feed.ts'
import type { SerialQueue } from '../port/prints/serial-queue.ts'
import { keepConnected, type Reconnecting } from '../port/streams/keep-connected.ts'

/** Times of a feed in milliseconds. */
export interface MarketFeedTimes extends Reconnecting {
  /** Limit for one request for past trades; live messages wait for it. */
  readonly past: number
}

export interface MarketConnectionEvents {
  /** Whether the market is busy, so that trades are expected now. */
  readonly isBusy: () => boolean
  /** The subscription is active: no trade is missed from now on. */
  readonly opened: () => void
  /** Everything traded until now has arrived. */
  readonly told: () => void
  /** The connection is alive and brought no trades, which is normal when the market is not busy. */
  readonly answered: () => void
}

/** One run of a feed across its connections. */
export interface MarketListener {
  /** Updates the wanted symbols, in order of importance. */
  look(wanted: readonly Ticker[]): void
  /** Follows one connection from beginning to end, see `keepConnected`. */
  connect(events: MarketConnectionEvents, signal: AbortSignal): Promise<void>
}

export interface PastAsked {
  readonly symbol: Ticker
  /** Start and end of the period, milliseconds; the end is not included. */
  readonly from: Instant
  readonly to: Instant
  readonly signal: AbortSignal
  /** Receives the reason for each trade that cannot be used. */
  readonly onRefused: (reason: string) => void
}

export interface MarketFeedOptions {
  /** Seconds behind the market. */
  readonly delay: number
  readonly times: MarketFeedTimes
  readonly listen: (sink: PrintSink, now: () => Instant) => MarketListener
  readonly past: (asked: PastAsked) => AsyncIterable<readonly TapeMessage[]>
  /** Queue that runs requests for the past one after the other; undefined if a request budget limits them. */
  readonly turns?: SerialQueue | undefined
}

/** Milliseconds between two updates of the wanted symbols. */
const LOOK_EVERY = 250

/** The print feed of a vendor that streams the trades of the whole market; it passes on those of the wanted symbols. */
export function marketFeed({ delay, times, listen, past, turns }: MarketFeedOptions): PrintFeed {
  const behind = 1000 * delay
  /** Market time up to which all trades arrived; undefined before the first run. */
  let heardUntil: Instant | undefined
  let refused: PrintSink['refused'] = () => {}

  return {
    delay,
    stocks: false,

    async run(wanted, sink, signal, now) {
      refused = sink.refused
      heardUntil ??= now()
      const listener = listen(sink, now)
      const isBusy = () => isBusyMarket(now() - behind)
      const connect = (heard: () => void) =>
        listener.connect(
          {
            isBusy,
            opened() {
              const until = now() - behind
              sink.state({ until, missed: [heardUntil! - behind, until] })
              heardUntil = now()
            },
            told() {
              heard()
              heardUntil = now()
              sink.state({ until: heardUntil - behind })
            },
            answered() {
              if (!isBusy()) heardUntil = now()
            }
          },
          signal
        )
      const looking = setInterval(() => listener.look(wanted()), LOOK_EVERY)
      listener.look(wanted())
      try {
        await keepConnected(connect, { pauses: times, onInterrupted: sink.interrupted }, signal)
      } finally {
        clearInterval(looking)
      }
    },

    past(symbol, from, to, signal) {
      const onRefused = (reason: string) => refused(reason, symbol)
      return boundedPast(
        // The stream of a delayed plan will still bring anything newer.
        (either) => past({ symbol, from, to: to - behind, signal: either, onRefused }),
        { symbol, within: times.past, turns, signal }
      )
    }
  }
}
