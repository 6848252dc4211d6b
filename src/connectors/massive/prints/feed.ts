import { isBusyMarket } from '../../../market/clock.ts'
import type { Instant } from '../../../market/units.ts'
import { boundedPast } from '../../port/bounded-past.ts'
import type { FrameListener } from '../../port/capture.ts'
import { InTurn } from '../../port/in-turn.ts'
import { keepConnected } from '../../port/keep-connected.ts'
import type { PrintFeed, PrintSink } from '../../port/prints.ts'
import type { Rest } from '../rest.ts'
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

/** The vendor asks for a ping every 25 s and an answer in 30 (its client libraries). */
const usual: PrintLimits = {
  opening: 15_000,
  ping: 25_000,
  pong: 30_000,
  silence: 30_000,
  firstPause: 1000,
  longestPause: 60_000,
  past: 120_000
}

export interface PrintFeedOptions {
  readonly key: string
  readonly stream: string
  readonly rest: Rest
  /** Seconds behind the market. */
  readonly delay: number
  readonly quotes: number
  readonly onFrame?: FrameListener | undefined
  readonly limits?: Partial<PrintLimits>
}

/** How often the symbols that are wanted are looked at, and quotes subscribed to, milliseconds. */
const LOOK_EVERY = 250
/** One channel for every trade of the market: the vendor has none for an underlying. */
const ALL_TRADES = 'T.*'

/** The trades of all listed options, of which those of the wanted symbols are told. */
export function createPrintFeed(options: PrintFeedOptions): PrintFeed {
  const { key, stream, rest, delay, quotes, onFrame: onRaw, limits: given } = options
  const limits: PrintLimits = { ...usual, ...given }
  const behind = 1000 * delay
  /** Until when everything was heard, by the clock of the market; undefined: nobody has listened yet. */
  let heardUntil: Instant | undefined
  /** Readings of the past go one after the other: together they would all be late. */
  const turns = new InTurn()
  let onRefused: PrintSink['refused'] = () => {}

  return {
    delay,
    stocks: false,

    async run(wanted, sink, signal, now) {
      onRefused = sink.refused
      heardUntil ??= now()
      const trades = new LiveTrades(sink, quotes, now)
      const connect = (heard: () => void) =>
        followStream(
          {
            address: `${stream}/options`,
            key,
            channel: ALL_TRADES,
            limits,
            isBusy: () => isBusyMarket(now() - behind),
            onOpen() {
              trades.begin()
              const until = now() - behind
              sink.state({ until, missed: [heardUntil! - behind, until] })
              heardUntil = now()
            },
            onFrame(text, connection) {
              if (!trades.take(text, connection)) return false
              heard()
              heardUntil = now()
              sink.state({ until: heardUntil - behind })
              return true
            },
            onPong() {
              if (!isBusyMarket(now() - behind)) heardUntil = now()
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
        // The stream of a delayed plan tells later what is newer.
        (either) => pastTrades({ rest, symbol, from, to: to - behind, signal: either, onRefused }),
        { symbol, within: limits.past, turns, signal }
      )
  }
}
