import type { Ticker } from '../../market/units.ts'
import type { FrameListener } from '../port/capture/capture.ts'
import type { MarketListener } from './market-feed.ts'

/** Times of a stream in milliseconds. */
export interface MarketStreamLimits {
  /** Limit from the first packet to the confirmed subscription. */
  readonly opening: number
  /** Time between two pings, and limit for the answer to one. */
  readonly ping: number
  readonly pong: number
  /** Limit without a message about the market while it is open. */
  readonly silence: number
}

/**
 * Options and callbacks of one connection to a stream of all trades. `Connection` is the vendor's handle that status
 * frames can change.
 */
export interface MarketStreamOptions<Frame, Connection> {
  readonly limits: MarketStreamLimits
  /** Whether the market is busy, so that trades are expected now. */
  readonly isBusy: () => boolean
  /** The subscription is active: no trade is missed from now on. */
  readonly onOpen: () => void
  /** Handles a frame and returns whether it held market data. Statuses in it go to `connection`. */
  readonly onFrame: (frame: Frame, connection: Connection) => boolean
  /** The answer to a ping: everything sent before it has arrived. */
  readonly onPong: () => void
  /** Receives every frame as it came. */
  readonly onRaw?: FrameListener | undefined
  /** Receives the reason for each message that cannot be used. */
  readonly onRefused: (reason: string) => void
}

/** Turns the frames of a stream into tape messages of the wanted symbols. */
export interface FrameReader<Frame, Connection> {
  /** Updates the wanted symbols, in order of importance. */
  look(wanted: readonly Ticker[]): void
  begin(): void
  /** Reads a frame; false if it held no market data. */
  take(frame: Frame, connection: Connection): boolean
}

export interface MarketStream<Frame, Connection>
  extends Pick<MarketStreamOptions<Frame, Connection>, 'limits' | 'onRaw' | 'onRefused'> {
  readonly trades: FrameReader<Frame, Connection>
  /** Follows one connection from beginning to end. */
  readonly follow: (options: MarketStreamOptions<Frame, Connection>, signal: AbortSignal) => Promise<void>
}

/** A listener that reads each frame as it arrives. */
export function listenToStream<Frame, Connection>(stream: MarketStream<Frame, Connection>): MarketListener {
  const { trades, follow, limits, onRaw, onRefused } = stream
  return {
    look: (wanted) => trades.look(wanted),
    connect: ({ isBusy, opened, told, answered }, signal) =>
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
            if (isOfMarket) told()
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
