import { backOff } from '../../../market/back-off.ts'
import { latestSession } from '../../../market/calendar.ts'
import { isMarketOpen } from '../../../market/clock.ts'
import { type Instant, MILLISECONDS_PER_MINUTE } from '../../../market/units.ts'
import type { FrameListener } from '../../port/capture.ts'
import { pause } from '../../port/pause.ts'
import type { PrintFeed, PrintSink } from '../../port/prints.ts'
import { SourceError } from '../../port/source-error.ts'
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
/** The first minute of a session may be quiet in a delayed stream. */
const BUSY_FROM = MILLISECONDS_PER_MINUTE
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
  let reading: Promise<unknown> = Promise.resolve()
  let onRefused: PrintSink['refused'] = () => {}

  return {
    delay,
    stocks: false,

    async run(wanted, sink, signal, now) {
      onRefused = sink.refused
      heardUntil ??= now()
      const trades = new LiveTrades(sink, quotes, now)
      let failures = 0
      const connected = () =>
        followStream(
          {
            address: `${stream}/options`,
            key,
            channel: ALL_TRADES,
            limits,
            isBusy: () => isBusyAt(now() - behind),
            onOpen() {
              trades.begin()
              const until = now() - behind
              sink.state({ until, missed: [heardUntil! - behind, until] })
              heardUntil = now()
            },
            onFrame(text, connection) {
              if (!trades.take(text, connection)) return false
              failures = 0
              heardUntil = now()
              sink.state({ until: heardUntil - behind })
              return true
            },
            onPong() {
              if (!isBusyAt(now() - behind)) heardUntil = now()
            },
            onRaw,
            onRefused: sink.refused
          },
          signal
        )
      const looking = setInterval(() => trades.look(wanted()), LOOK_EVERY)
      trades.look(wanted())
      try {
        while (!signal.aborted) {
          try {
            await connected()
          } catch (error) {
            if (!(error instanceof SourceError) || error.fault === 'refused') throw error
            const { fault, message } = error
            sink.interrupted(message)
            const again = backOff(++failures, { first: limits.firstPause, longest: limits.longestPause })
            await pause(fault === 'rate_limited' ? limits.longestPause : again, signal)
          }
        }
      } finally {
        clearInterval(looking)
      }
    },

    async *past(symbol, from, to, signal) {
      const before = reading
      let end = () => {}
      reading = new Promise<void>((resolve) => {
        end = resolve
      })
      const late = AbortSignal.timeout(limits.past)
      const either = AbortSignal.any([signal, late])
      try {
        await Promise.race([before, aborted(either)])
        either.throwIfAborted()
        // The stream of a delayed plan tells later what is newer.
        const trades = { rest, symbol, from, to: to - behind, signal: either, onRefused }
        yield* pastTrades(trades)
      } catch (error) {
        signal.throwIfAborted()
        if (!late.aborted) throw error
        const seconds = limits.past / 1000
        throw new SourceError('timeout', `what ${symbol} traded could not be read within ${seconds} s`)
      } finally {
        void before.then(end)
      }
    }
  }
}

/** Whether a market this wide is trading at a moment. */
function isBusyAt(moment: Instant): boolean {
  return isMarketOpen(moment) && moment - latestSession(moment).open > BUSY_FROM
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
