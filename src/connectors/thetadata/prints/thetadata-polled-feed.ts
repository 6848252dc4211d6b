import { latestSession } from '../../../market/calendar.ts'
import { type Instant, MILLISECONDS_PER_MINUTE, type Ticker } from '../../../market/units.ts'
import { pause } from '../../port/pause.ts'
import { boundedPast } from '../../port/prints/bounded-past.ts'
import type { PrintFeed, PrintSink } from '../../port/prints/print-feed.ts'
import { SerialQueue } from '../../port/prints/serial-queue.ts'
import type { Reconnecting } from '../../port/streams/keep-connected.ts'
import { keepConnected } from '../../port/streams/keep-connected.ts'
import type { ThetaDataRest } from '../thetadata-rest.ts'
import { thetadataPastTrades } from './thetadata-past-trades.ts'

/** Timeouts and intervals, milliseconds. */
export interface PolledLimits extends Reconnecting {
  /** Milliseconds between two reads. */
  readonly poll: number
  /** Time limit of one read, milliseconds. */
  readonly past: number
}

/** Milliseconds by which each read overlaps the previous one, because the vendor may report trades late. */
const LATE = 15_000
/** Milliseconds after the close during which index options still trade and late trades are reported. */
const AFTER_CLOSE = 20 * MILLISECONDS_PER_MINUTE

/**
 * Print feed over REST, for a plan without the stream. At each read it reports the time since the previous one as a
 * gap, and the reader of past trades fills the gap. It first checks that the terminal responds; until it does, the gap
 * stays open.
 */
export function createPolledFeed(rest: ThetaDataRest, limits: PolledLimits): PrintFeed {
  // Reads run one at a time, which leaves most of the plan's parallel requests to chains.
  const queue = new SerialQueue()
  let readUntil: Instant | undefined
  let refused: PrintSink['refused'] = () => {}

  /** Requests a symbol's last minute of trading. Rejects if the plan or the terminal does not provide it. */
  async function probe(symbol: Ticker, now: Instant, signal: AbortSignal): Promise<void> {
    const to = Math.min(now, latestSession(now).close)
    const asked = { rest, symbol, from: to - MILLISECONDS_PER_MINUTE, to, signal, onRefused: () => {} }
    for await (const _ of thetadataPastTrades(asked));
  }

  return {
    delay: Math.round(limits.poll / 1000),
    stocks: false,

    async run(wanted, sink, signal, now) {
      refused = sink.refused
      readUntil ??= now()
      const connect = async (succeeded: () => void) => {
        for (let isFirst = true; !signal.aborted; ) {
          const until = now()
          const [symbol] = wanted()
          const isDue = symbol !== undefined && (isFirst || isTrading(until) || isTrading(readUntil!))
          if (isDue) {
            await probe(symbol, until, signal)
            succeeded()
            isFirst = false
          }
          sink.state(isDue ? { until, missed: [readUntil! - LATE, until] } : { until })
          readUntil = until
          await pause(limits.poll, signal)
        }
      }
      await keepConnected(connect, { pauses: limits, onInterrupted: sink.interrupted }, signal)
    },

    past(symbol, from, to, signal) {
      const onRefused = (reason: string) => refused(reason, symbol)
      const read = (either: AbortSignal) => thetadataPastTrades({ rest, symbol, from, to, signal: either, onRefused })
      return boundedPast(read, { symbol, within: limits.past, queue, signal })
    }
  }
}

function isTrading(now: Instant): boolean {
  const { open, close } = latestSession(now)
  return now >= open && now <= close + AFTER_CLOSE
}
