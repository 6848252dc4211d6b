import { isBusyMarket } from '../../../market/clock.ts'
import type { Instant } from '../../../market/units.ts'
import { boundedPast } from '../../port/bounded-past.ts'
import type { FrameListener } from '../../port/capture.ts'
import { InTurn } from '../../port/in-turn.ts'
import { keepConnected } from '../../port/keep-connected.ts'
import type { PrintFeed, PrintSink } from '../../port/prints.ts'
import type { AlpacaKeys, Rest } from '../rest.ts'
import { LiveTrades } from './live-trades.ts'
import { pastTrades } from './past.ts'
import { followStream, type StreamLimits } from './stream.ts'

/** Times, milliseconds. */
export interface PrintLimits extends StreamLimits {
  /** Before the stream is connected again: after the first failure, and at the longest. */
  readonly firstPause: number
  readonly longestPause: number
  /** For one reading of the past: what the stream tells meanwhile waits for it. */
  readonly past: number
}

const usual: PrintLimits = {
  opening: 15_000,
  ping: 20_000,
  pong: 20_000,
  silence: 30_000,
  firstPause: 1000,
  longestPause: 60_000,
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
  /** Contracts of which quotes are streamed. */
  readonly quotes: number
  readonly onFrame?: FrameListener | undefined
  readonly limits?: Partial<PrintLimits> | undefined
}

/** How often the symbols that are wanted are looked at, and quotes subscribed to, milliseconds. */
const LOOK_EVERY = 250

/** The trades of all listed options, of which those of the wanted symbols are told. */
export function createPrintFeed(options: PrintFeedOptions): PrintFeed {
  const { keys, stream, feed, delay, rest, quotes, onFrame: onRaw } = options
  const limits: PrintLimits = { ...usual, ...options.limits }
  const behind = 1000 * delay
  /** Until when everything was heard, by the clock of the market; undefined: nobody has listened yet. */
  let heardUntil: Instant | undefined
  let onRefused: PrintSink['refused'] = () => {}
  /** Readings of the past go one after the other: together they would all be late. */
  const turns = new InTurn()

  return {
    delay,
    stocks: false,

    async run(wanted, sink, signal, now) {
      onRefused = sink.refused
      heardUntil ??= now()
      const trades = new LiveTrades(sink, quotes, now)
      const isBusy = () => isBusyMarket(now() - behind)
      const connect = (heard: () => void) =>
        followStream(
          {
            address: `${stream}/v1beta1/${feed}`,
            keys,
            limits,
            isBusy,
            onOpen() {
              trades.begin()
              const until = now() - behind
              sink.state({ until, missed: [heardUntil! - behind, until] })
              heardUntil = now()
            },
            onFrame(bytes, connection) {
              if (!trades.take(bytes, connection)) return false
              heard()
              heardUntil = now()
              sink.state({ until: heardUntil - behind })
              return true
            },
            onPong() {
              if (!isBusy()) heardUntil = now()
            },
            onRaw,
            onRefused: sink.refused
          },
          signal
        )
      const looking = setInterval(() => trades.look(wanted()), LOOK_EVERY)
      trades.look(wanted())
      const pauses = { first: limits.firstPause, longest: limits.longestPause }
      try {
        await keepConnected(connect, { pauses, onInterrupted: sink.interrupted }, signal)
      } finally {
        clearInterval(looking)
      }
    },

    past: (symbol, from, to, signal) =>
      boundedPast(
        // What is newer the stream tells later; an account without a plan may not ask for it.
        (either) => pastTrades({ rest, feed, symbol, from, to: to - behind, signal: either, onRefused }),
        { symbol, within: limits.past, turns, signal }
      )
  }
}
