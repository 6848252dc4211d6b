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
  /** Interval of pings, and time allowed for the answer, milliseconds. */
  readonly ping: number
  readonly pong: number
}

export interface TradierStreamOptions {
  readonly address: string
  /** Session id; a secret while the session lives. */
  readonly session: string
  readonly limits: TradierStreamLimits
  /** Called when the subscription is sent. `subscribe` replaces the whole subscription. */
  readonly onOpen: (subscribe: (contracts: readonly string[]) => void) => void
  readonly onFrame: (text: string, connection: TradierConnection) => void
  /** Called on the answer to a ping: everything sent before it has arrived. */
  readonly onPong: () => void
  /** Receives every raw frame. */
  readonly onRaw?: FrameListener | undefined
}

/** An open connection. */
export interface TradierConnection {
  /** Handles an error in a frame; true if it ends the connection. */
  error(text: string): boolean
}

/** Largest frame of the vendor, bytes. */
const MAX_FRAME = 4 * 2 ** 20

/**
 * Runs one connection of a session. Resolves when the signal fires; otherwise rejects with a `SourceError`, or with
 * what a callback throws.
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
    // The server refuses an expired session; the next connection begins a new one.
    refusal: 'unavailable',
    closing: ': it allows one session for a user',
    onRaw
  }
  const begin = (socket: FollowedSocket): SocketHandlers => {
    // validOnly would omit cancelled and corrected trades.
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
