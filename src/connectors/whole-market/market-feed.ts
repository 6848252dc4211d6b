import { isBusyMarket } from '../../market/clock.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { boundedPast } from '../port/prints/bounded-past.ts'
import type { PrintFeed, PrintSink, TapeMessage } from '../port/prints/print-feed.ts'
import type { SerialQueue } from '../port/prints/serial-queue.ts'
import { keepConnected, type Reconnecting } from '../port/streams/keep-connected.ts'

/** Times of a feed, milliseconds. */
export interface MarketFeedTimes extends Reconnecting {
  /** For one reading of the past: what the stream tells meanwhile waits for it. */
  readonly past: number
}

/** Told by a connection of what becomes of it. */
export interface MarketConnectionEvents {
  /** Whether trades are to be expected now. */
  readonly isBusy: () => boolean
  /** The subscription stands: from now on everything is told. */
  readonly opened: () => void
  /** Everything that was traded until now has come. */
  readonly told: () => void
  /** The line is there, and nothing came over it: of a market that is not busy that is all there is. */
  readonly answered: () => void
}

/** What one run of a feed does over its connections. */
export interface MarketListener {
  /** Looks at the symbols that are wanted, in order of importance. */
  look(wanted: readonly Ticker[]): void
  /** One connection from its beginning to its end, see `keepConnected`. */
  connect(events: MarketConnectionEvents, signal: AbortSignal): Promise<void>
}

export interface PastAsked {
  readonly symbol: Ticker
  /** [from, to), milliseconds. */
  readonly from: Instant
  readonly to: Instant
  readonly signal: AbortSignal
  /** Something that is not used. */
  readonly onRefused: (reason: string) => void
}

export interface MarketFeedOptions {
  /** Seconds behind the market. */
  readonly delay: number
  readonly times: MarketFeedTimes
  readonly listen: (sink: PrintSink, now: () => Instant) => MarketListener
  readonly past: (asked: PastAsked) => AsyncIterable<readonly TapeMessage[]>
  /** Readings of the past that go one after the other; undefined: a budget of requests keeps them apart. */
  readonly turns?: SerialQueue | undefined
}

/** How often the symbols that are wanted are looked at, milliseconds. */
const LOOK_EVERY = 250

/** The feed of a vendor that streams the trades of the whole market, of which those of the wanted symbols are told. */
export function marketFeed({ delay, times, listen, past, turns }: MarketFeedOptions): PrintFeed {
  const behind = 1000 * delay
  /** Until when everything was heard, by the clock of the market; undefined: nobody has listened yet. */
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
        // What is newer the stream of a delayed plan tells later.
        (either) => past({ symbol, from, to: to - behind, signal: either, onRefused }),
        { symbol, within: times.past, turns, signal }
      )
    }
  }
}
