import type { Ticker } from '../../market/units.ts'
import type { FrameListener } from '../port/capture/capture.ts'
import type { MarketListener } from './market-feed.ts'

/** Times of a stream, milliseconds. */
export interface MarketStreamLimits {
  /** From the first packet to the answer to the subscription. */
  readonly opening: number
  /** Between two pings, and from one to its answer. */
  readonly ping: number
  readonly pong: number
  /** Without a word of the whole market while it is open. */
  readonly silence: number
}

/** What one connection to a stream of all trades is followed with. A `Connection` is what its frames can change of it. */
export interface MarketStreamOptions<Frame, Connection> {
  readonly limits: MarketStreamLimits
  /** Whether trades are to be expected now. */
  readonly isBusy: () => boolean
  /** The subscription stands: from now on everything is told. */
  readonly onOpen: () => void
  /** One frame: whether it told something of the market. Statuses in it are handed back to `connection`. */
  readonly onFrame: (frame: Frame, connection: Connection) => boolean
  /** Everything that was sent before the answer to a ping has come. */
  readonly onPong: () => void
  /** Told of every frame as it came. */
  readonly onRaw?: FrameListener | undefined
  /** Something that is not used. */
  readonly onRefused: (reason: string) => void
}

/** Makes the frames of a stream into messages of the tapes of wanted symbols. */
export interface FrameReader<Frame, Connection> {
  /** Looks at the symbols that are wanted, in order of importance. */
  look(wanted: readonly Ticker[]): void
  /** A new connection knows nothing of the one before. */
  begin(): void
  /** Takes a frame; false where nothing of the market was in it. */
  take(frame: Frame, connection: Connection): boolean
}

export interface MarketStream<Frame, Connection>
  extends Pick<MarketStreamOptions<Frame, Connection>, 'limits' | 'onRaw' | 'onRefused'> {
  readonly trades: FrameReader<Frame, Connection>
  /** Follows one connection from its beginning to its end. */
  readonly follow: (options: MarketStreamOptions<Frame, Connection>, signal: AbortSignal) => Promise<void>
}

/** Listens to a stream of which each frame is read as it comes. */
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
