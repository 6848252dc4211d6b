import { isBusyMarket } from '../../market/clock.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { boundedPast } from '../port/prints/bounded-past.ts'
import type { PrintFeed, PrintSink, TapeMessage } from '../port/prints/print-feed.ts'
import type { SerialQueue } from '../port/prints/serial-queue.ts'
import { keepConnected, type Reconnecting } from '../port/streams/keep-connected.ts'

export interface MarketFeedTimes extends Reconnecting {
  /** Time limit for one request for past trades, milliseconds. Live messages wait for it. */
  readonly past: number
}

export interface MarketConnectionEvents {
  readonly isBusy: () => boolean
  /** Called when the subscription is active: no trade is missed from now on. */
  readonly opened: () => void
  /** Called when everything traded until now has arrived. */
  readonly received: () => void
  /** Called when the connection is alive but brought no trades, which is normal while the market is not busy. */
  readonly answered: () => void
}

/** Receives a feed's trades across all its connections. */
export interface MarketListener {
  /** Updates the requested symbols, most important first. */
  update(wanted: readonly Ticker[]): void
  /** Follows one connection from beginning to end, see `keepConnected`. */
  connect(events: MarketConnectionEvents, signal: AbortSignal): Promise<void>
}

export interface PastAsked {
  readonly symbol: Ticker
  /** Start of the period, included, in milliseconds since 1970. `to` is its end, excluded. */
  readonly from: Instant
  readonly to: Instant
  readonly signal: AbortSignal
  readonly onRefused: (reason: string) => void
}

export interface MarketFeedOptions {
  /** Delay of the trades behind the market, seconds. */
  readonly delay: number
  readonly times: MarketFeedTimes
  readonly listen: (sink: PrintSink, now: () => Instant) => MarketListener
  readonly past: (asked: PastAsked) => AsyncIterable<readonly TapeMessage[]>
  /** Queue that runs requests for past trades one after the other; undefined if a request budget limits them. */
  readonly queue?: SerialQueue | undefined
}

/** Milliseconds between two updates of the requested symbols. */
const UPDATE_EVERY = 250

/**
 * Print feed of a vendor that streams the trades of the whole market. It passes on only the trades of the requested
 * symbols.
 */
export function marketFeed({ delay, times, listen, past, queue }: MarketFeedOptions): PrintFeed {
  const behind = 1000 * delay
  /** Clock time up to which all trades have arrived; undefined before the first run. */
  let receivedUntil: Instant | undefined
  let refused: PrintSink['refused'] = () => {}

  return {
    delay,
    stocks: false,

    async run(wanted, sink, signal, now) {
      refused = sink.refused
      receivedUntil ??= now()
      const listener = listen(sink, now)
      const isBusy = () => isBusyMarket(now() - behind)
      const connect = (succeeded: () => void) =>
        listener.connect(
          {
            isBusy,
            opened() {
              const until = now() - behind
              sink.state({ until, missed: [receivedUntil! - behind, until] })
              receivedUntil = now()
            },
            received() {
              succeeded()
              receivedUntil = now()
              sink.state({ until: receivedUntil - behind })
            },
            answered() {
              if (!isBusy()) receivedUntil = now()
            }
          },
          signal
        )
      const updating = setInterval(() => listener.update(wanted()), UPDATE_EVERY)
      listener.update(wanted())
      try {
        await keepConnected(connect, { pauses: times, onInterrupted: sink.interrupted }, signal)
      } finally {
        clearInterval(updating)
      }
    },

    past(symbol, from, to, signal) {
      const onRefused = (reason: string) => refused(reason, symbol)
      return boundedPast(
        // Newer trades are left out: the stream of a delayed plan still brings them.
        (either) => past({ symbol, from, to: to - behind, signal: either, onRefused }),
        { symbol, within: times.past, queue, signal }
      )
    }
  }
}
