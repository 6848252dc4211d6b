import type { FrameListener } from '../../port/capture/capture.ts'
import {
  type FollowedSocket,
  type FollowOptions,
  followSocket,
  type SocketHandlers
} from '../../port/streams/follow-socket.ts'

export interface TradierStreamLimits {
  /** Time limit from the first packet until the subscription is sent, milliseconds. */
  readonly opening: number
  /** Time between two pings, milliseconds. `pong` is the time limit for the reply to a ping. */
  readonly ping: number
  readonly pong: number
}

export interface TradierStreamOptions {
  readonly address: string
  /** Id of the stream session at the vendor. It must be kept secret while the session is valid. */
  readonly session: string
  readonly limits: TradierStreamLimits
  /** Called when the first subscription is sent. Each call of `subscribe` replaces all subscribed contracts. */
  readonly onOpen: (subscribe: (contracts: readonly string[]) => void) => void
  readonly onFrame: (text: string, connection: TradierConnection) => void
  /** Called when a ping is answered: everything sent before the pong has arrived. */
  readonly onPong: () => void
  readonly onRaw?: FrameListener | undefined
}

export interface TradierConnection {
  /** Handles an error in a frame; returns true if the error ends the connection. */
  error(text: string): boolean
}

/** Largest frame accepted, bytes. */
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
    // The server refuses an expired session; the next connection starts a new session.
    refusal: 'unavailable',
    closing: ': it allows one session for a user',
    onRaw
  }
  const begin = (socket: FollowedSocket): SocketHandlers => {
    // With validOnly the stream would omit cancelled and corrected trades.
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
