import type { Ticker } from '../../market/units.ts'
import type { FrameListener } from '../port/capture/capture.ts'
import type { MarketListener } from './market-feed.ts'

/** Time limits and intervals of a stream, milliseconds. */
export interface MarketStreamLimits {
  /** Time limit from the first packet to the confirmed subscription, milliseconds. */
  readonly opening: number
  /** Time between two pings, milliseconds. `pong` is the time limit for the reply to one. */
  readonly ping: number
  readonly pong: number
  /** Maximum time without market data while the market is open, milliseconds. */
  readonly silence: number
}

/**
 * Options and callbacks of one connection to a stream of all trades. `Connection` is the vendor's object that receives
 * status messages.
 */
export interface MarketStreamOptions<Frame, Connection> {
  readonly limits: MarketStreamLimits
  /** Whether the market is busy, so that trades are expected now. */
  readonly isBusy: () => boolean
  /** Called when the subscription is active: no trade is missed from now on. */
  readonly onOpen: () => void
  /** Handles a frame and returns whether it held market data. Status messages in it are passed to `connection`. */
  readonly onFrame: (frame: Frame, connection: Connection) => boolean
  /** Called when a ping is answered: everything sent before has arrived. */
  readonly onPong: () => void
  readonly onRaw?: FrameListener | undefined
  readonly onRefused: (reason: string) => void
}

/** Converts the frames of a stream into tape messages of the requested symbols. */
export interface FrameReader<Frame, Connection> {
  update(wanted: readonly Ticker[]): void
  begin(): void
  take(frame: Frame, connection: Connection): boolean
}

export interface MarketStream<Frame, Connection>
  extends Pick<MarketStreamOptions<Frame, Connection>, 'limits' | 'onRaw' | 'onRefused'> {
  readonly trades: FrameReader<Frame, Connection>
  readonly follow: (options: MarketStreamOptions<Frame, Connection>, signal: AbortSignal) => Promise<void>
}

export function listenToStream<Frame, Connection>(stream: MarketStream<Frame, Connection>): MarketListener {
  const { trades, follow, limits, onRaw, onRefused } = stream
  return {
    update: (wanted) => trades.update(wanted),
    connect: ({ isBusy, opened, received, answered }, signal) =>
      follow(
        {
          limits,
          isBusy,
          onOpen() {
            trades.begin()
            opened()
          },
          onFrame(frame, connection) {
            const isOfMarket = trades.take(frame, connection)
            if (isOfMarket) received()
            return isOfMarket
          },
          onPong: answered,
          onRaw,
          onRefused
        },
        signal
      )
  }
}
