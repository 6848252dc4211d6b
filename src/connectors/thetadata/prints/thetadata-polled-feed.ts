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

/** Times, milliseconds. */
export interface PolledLimits extends Reconnecting {
  /** Between two readings of what was traded since. */
  readonly poll: number
  /** For one reading of the past. */
  readonly past: number
}

/** What is read again each time, since a trade may come later than it was made, milliseconds. */
const LATE = 15_000
/** Options of indexes trade, and trades are reported, for so long after the close, milliseconds. */
const AFTER_CLOSE = 20 * MILLISECONDS_PER_MINUTE

/**
 * The prints of the wanted symbols as REST has them, for a plan without the stream of all trades: what was traded since the last
 * reading is told as missed, so that it is read from the past. Before that the terminal is asked whether it answers, so that a
 * hole stays open for as long as it does not.
 */
export function createPolledFeed(rest: ThetaDataRest, limits: PolledLimits): PrintFeed {
  // One reading after the other, so that chains have places among the requests under way.
  const turns = new SerialQueue()
  let readUntil: Instant | undefined
  let refused: PrintSink['refused'] = () => {}

  /** Asks for the last minute of trading of a symbol. Rejects where the plan, or the terminal, does not have it. */
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
      const connect = async (heard: () => void) => {
        for (let isFirst = true; !signal.aborted; ) {
          const until = now()
          const [symbol] = wanted()
          const isDue = symbol !== undefined && (isFirst || isTrading(until) || isTrading(readUntil!))
          if (isDue) {
            await probe(symbol, until, signal)
            heard()
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
      return boundedPast(read, { symbol, within: limits.past, turns, signal })
    }
  }
}

function isTrading(now: Instant): boolean {
  const { open, close } = latestSession(now)
  return now >= open && now <= close + AFTER_CLOSE
}
