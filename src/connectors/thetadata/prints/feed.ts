import type { Instant } from '../../../market/units.ts'
import { boundedPast } from '../../port/bounded-past.ts'
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

const usual: PrintLimits = { opening: 15_000, silence: 5000, firstPause: 1000, longestPause: 60_000, past: 180_000 }

export interface PrintFeedOptions {
  /** The address of the terminal's socket. */
  readonly stream: string
  readonly rest: Rest
  readonly limits?: Partial<PrintLimits> | undefined
}

/** How often the symbols that are wanted are looked at, milliseconds. */
const LOOK_EVERY = 250
/** A connection makes two requests, the subscription and its end, whose numbers may not come twice. */
const REQUESTS = 2

/** The trades of all listed options, of which those of the wanted symbols are told; what was missed is read by REST. */
export function createPrintFeed({ stream: address, rest, limits: given }: PrintFeedOptions): PrintFeed {
  const limits: PrintLimits = { ...usual, ...given }
  /** Until when everything was heard, by the clock of the market; undefined: nobody has listened yet. */
  let heardUntil: Instant | undefined
  let connections = 0
  let onRefused: PrintSink['refused'] = () => {}

  return {
    delay: 0,
    stocks: false,

    async run(wanted, sink, signal, now) {
      onRefused = sink.refused
      heardUntil ??= now()
      const trades = new LiveTrades(sink)
      const connect = (heard: () => void) =>
        followStream(
          {
            ...trades.sink,
            address,
            id: REQUESTS * connections++,
            limits,
            isWanted: trades.isWanted,
            onOpen() {
              const until = now()
              sink.state({ until, missed: [heardUntil!, until] })
              heardUntil = until
            },
            onFrame: () => trades.flush(),
            onHeard() {
              heard()
              heardUntil = now()
              sink.state({ until: heardUntil })
            }
          },
          signal
        )
      const looking = setInterval(() => trades.want(wanted()), LOOK_EVERY)
      trades.want(wanted())
      const pauses = { first: limits.firstPause, longest: limits.longestPause }
      try {
        await keepConnected(connect, { pauses, onInterrupted: sink.interrupted }, signal)
      } finally {
        clearInterval(looking)
      }
    },

    past: (symbol, from, to, signal) =>
      boundedPast(
        (either) =>
          pastTrades({ rest, symbol, from, to, signal: either, onRefused: (reason) => onRefused(reason, symbol) }),
        { symbol, within: limits.past, signal }
      )
  }
}
