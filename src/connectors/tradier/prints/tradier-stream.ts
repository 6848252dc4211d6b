import type { FrameListener } from '../../port/capture/capture.ts'
import {
  type FollowedSocket,
  type FollowOptions,
  followSocket,
  type SocketHandlers
} from '../../port/streams/follow-socket.ts'

export interface TradierStreamLimits {
  /** From the first packet to the subscription, milliseconds. */
  readonly opening: number
  /** Between two pings, and from one to its answer, milliseconds. */
  readonly ping: number
  readonly pong: number
}

export interface TradierStreamOptions {
  readonly address: string
  /** Of the session, which is a secret as long as it lives. */
  readonly session: string
  readonly limits: TradierStreamLimits
  /** The subscription is sent: from now on everything is told. `subscribe` changes it, as a whole. */
  readonly onOpen: (subscribe: (contracts: readonly string[]) => void) => void
  readonly onFrame: (text: string, connection: TradierConnection) => void
  /** Everything that was sent before the answer to a ping has come. */
  readonly onPong: () => void
  /** Told of every frame as it came. */
  readonly onRaw?: FrameListener | undefined
}

/** A connection as its owner sees it. */
export interface TradierConnection {
  /** Takes an error that a frame told; true where it ends the connection. */
  error(text: string): boolean
}

/** No frame of the vendor is larger, bytes. */
const MAX_FRAME = 4 * 2 ** 20

/**
 * One connection of a session from its beginning to its end. Resolves when the signal fires; rejects with a `SourceError` however
 * else it ends, with what its owner throws as it is.
 */
export function followTradierStream(options: TradierStreamOptions, signal: AbortSignal): Promise<void> {
  const { address, session, limits, onOpen, onFrame, onPong, onRaw } = options
  const about: FollowOptions = {
    address,
    vendor: 'Tradier',
    secrets: [session],
    maxFrame: MAX_FRAME,
    opening: limits.opening,
    pings: { every: limits.ping, answer: limits.pong },
    // A session that has ended is refused; the next connection begins another one.
    refusal: 'unavailable',
    closing: ': it allows one session for a user',
    onRaw
  }
  const begin = (socket: FollowedSocket): SocketHandlers => {
    // With validOnly trades that are taken back, or corrected, would be left out.
    const subscription = { filter: ['timesale'], sessionid: session, linebreak: true, validOnly: false }
    const subscribe = (symbols: readonly string[]) => socket.send(JSON.stringify({ symbols, ...subscription }))
    const connection: TradierConnection = {
      error(text) {
        const quoted = JSON.stringify(text)
        if (/too many|limit/i.test(text)) socket.fail('rate_limited', `the stream of Tradier says ${quoted}`)
        else if (/session/i.test(text)) {
          socket.fail('unavailable', `the session of Tradier's stream has ended: ${quoted}`)
        } else return false
        return true
      }
    }
    return {
      onConnect() {
        socket.opened()
        onOpen(subscribe)
      },
      onMessage: (data, isBinary) => onFrame(isBinary ? '' : String(data), connection),
      onPong
    }
  }
  return followSocket(about, begin, signal)
}
