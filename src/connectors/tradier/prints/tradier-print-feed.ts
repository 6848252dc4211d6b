import type { Instant } from '../../../market/units.ts'
import type { FrameListener } from '../../port/capture/capture.ts'
import { pause } from '../../port/pause.ts'
import type { PrintFeed, PrintSink } from '../../port/prints/print-feed.ts'
import { readingOf } from '../../port/source-error.ts'
import type { Reconnecting } from '../../port/streams/keep-connected.ts'
import { keepConnected, usualPauses } from '../../port/streams/keep-connected.ts'
import type { StreamBudget } from '../../port/streams/stream-budget.ts'
import { tradierReader } from '../tradier-quote.ts'
import { sessionRequest } from '../tradier-requests.ts'
import type { TradierRest } from '../tradier-rest.ts'
import { LiveTimesales } from './tradier-live-timesales.ts'
import { StreamedContracts } from './tradier-selection.ts'
import { followTradierStream, type TradierStreamLimits } from './tradier-stream.ts'
import { readTradierFrame, type TradierEventSink } from './tradier-timesale.ts'

/** Timeouts and intervals, milliseconds. */
export interface TradierPrintLimits extends TradierStreamLimits, Reconnecting {
  /** Milliseconds between two checks of which symbols are requested. */
  readonly update: number
}

const usual: TradierPrintLimits = {
  opening: 15_000,
  ping: 25_000,
  pong: 30_000,
  ...usualPauses,
  update: 1000
}

export interface TradierPrintOptions {
  readonly rest: TradierRest
  readonly stream: string
  readonly budget: StreamBudget
  readonly onFrame?: FrameListener | undefined
  readonly limits?: Partial<TradierPrintLimits> | undefined
}

/**
 * Print feed of the contracts near the price of each requested symbol. Each print carries its quote. The vendor has no
 * past prints, so a lost connection leaves a gap.
 */
export function createPrintFeed(options: TradierPrintOptions): PrintFeed {
  const { rest, stream: address, budget, onFrame: onRaw, limits: given } = options
  const limits: TradierPrintLimits = { ...usual, ...given }
  /** Market time up to which no print was missed; undefined before the first run. */
  let receivedUntil: Instant | undefined

  return {
    delay: 0,
    stocks: false,

    async run(wanted, sink, signal, now) {
      receivedUntil ??= now()
      const selection = new StreamedContracts({ rest, budget, onRefused: sink.refused })
      const timesales = new LiveTimesales(sink)
      const events = (end: (text: string) => boolean) => eventsInto(sink, selection, timesales, end)

      async function connect(succeeded: () => void): Promise<void> {
        while (wanted().length === 0 && !signal.aborted) await pause(limits.update, signal)
        if (signal.aborted) return
        const chosen = await selection.choose(wanted(), now(), signal)
        const [answer] = (await rest.ask([sessionRequest], signal)).bodies
        const session = readingOf(answer, sessionIn)
        const failed = new AbortController()
        const received = () => {
          succeeded()
          receivedUntil = now()
          sink.state({ until: receivedUntil })
        }
        const following = followTradierStream(
          {
            address,
            session,
            limits,
            onOpen(subscribe) {
              subscribe(chosen)
              const until = now()
              sink.state({ until, missed: [receivedUntil!, until] })
              receivedUntil = until
              void keepChoosing(chosen, subscribe, failed)
            },
            onFrame(text, connection) {
              // A frame with an error that ends the connection must not count as a success.
              if (readTradierFrame(text, events(connection.error))) received()
            },
            onPong: received,
            onRaw
          },
          AbortSignal.any([signal, failed.signal])
        )
        try {
          await following
          failed.signal.throwIfAborted()
        } finally {
          failed.abort()
        }
      }

      /** Updates the stream's contracts as symbols and prices change. Ends the connection if the vendor refuses. */
      async function keepChoosing(
        chosen: readonly string[],
        subscribe: (contracts: readonly string[]) => void,
        failed: AbortController
      ): Promise<void> {
        const either = AbortSignal.any([signal, failed.signal])
        let subscribed = new Set(chosen)
        try {
          for (;;) {
            await pause(limits.update, either)
            if (either.aborted) return
            if (wanted().length === 0 || !selection.isOld(wanted(), now())) continue
            const contracts = await selection.choose(wanted(), now(), either)
            if (contracts.length === subscribed.size && contracts.every((each) => subscribed.has(each))) continue
            subscribe(contracts)
            subscribed = new Set(contracts)
          }
        } catch (error) {
          failed.abort(error)
        }
      }

      await keepConnected(connect, { pauses: limits, onInterrupted: sink.interrupted }, signal)
    }
  }
}

function eventsInto(
  sink: PrintSink,
  selection: StreamedContracts,
  timesales: LiveTimesales,
  end: (text: string) => boolean
): TradierEventSink {
  return {
    timesale(timesale) {
      const symbol = selection.symbolOf(timesale.contract)
      if (symbol === undefined) sink.refused('a timesale of a contract that nobody wants')
      else timesales.take(timesale, symbol)
    },
    error(text) {
      if (!end(text)) sink.refused('an error that a contract or the subscription has')
    },
    refused: (reason) => sink.refused(reason)
  }
}

export function sessionIn(bytes: Uint8Array): string {
  const session = tradierReader.text(tradierReader.object(tradierReader.body(bytes), 'stream'), 'sessionid')
  if (session === '') throw tradierReader.malformed('the field sessionid is empty')
  return session
}
