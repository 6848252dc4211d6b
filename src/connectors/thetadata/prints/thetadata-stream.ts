import type { FrameListener } from '../../port/capture/capture.ts'
import type { SourceFault } from '../../port/source-error.ts'
import type { FollowedSocket, FollowOptions, SocketHandlers } from '../../port/streams/follow-socket.ts'
import { followSocket } from '../../port/streams/follow-socket.ts'
import { readThetaDataFrame, type ThetaDataFrameSink } from './thetadata-frame.ts'

export interface ThetaDataStreamLimits {
  /** Time limit from the first packet until the subscription is confirmed, milliseconds. */
  readonly opening: number
  /** Silence of the terminal after which the connection is closed, milliseconds. The terminal reports every second. */
  readonly silence: number
}

export interface ThetaDataStreamOptions extends Pick<ThetaDataFrameSink, 'trade' | 'quote' | 'refused'> {
  readonly address: string
  /** Request id, unique among all requests. */
  readonly id: number
  readonly limits: ThetaDataStreamLimits
  readonly isWanted: (root: string) => boolean
  /** Called when the subscription is confirmed and the terminal is connected: no trade is missed from now on. */
  readonly onOpen: () => void
  /** Called when all trades up to now have arrived. */
  readonly onReceived: () => void
  readonly onFrame: () => void
  readonly onRaw?: FrameListener | undefined
}

/** Largest frame accepted, bytes. */
const MAX_FRAME = 2 ** 20

/** Responses to a subscription that end the connection. Source: ThetaData, Verify Stream Requests. */
const ends: Readonly<Record<string, readonly [SourceFault, string]>> = {
  INVALID_PERMS: ['refused', 'the account has no plan with all trades of options, which pro has'],
  MAX_STREAMS_REACHED: ['rate_limited', 'it streams too much already'],
  ERROR: ['unavailable', 'it could not subscribe']
}

/**
 * Runs one connection: subscribes to all option trades and passes on frames. Resolves when the signal fires; otherwise
 * rejects with a `SourceError`, or with what a callback throws.
 */
export function followThetaDataStream(options: ThetaDataStreamOptions, signal: AbortSignal): Promise<void> {
  const { address, id, limits, isWanted, onOpen, onReceived, onFrame, onRaw, trade, quote, refused } = options
  const about: FollowOptions = {
    address,
    vendor: 'the Theta Terminal',
    secrets: [],
    maxFrame: MAX_FRAME,
    opening: limits.opening,
    silence: { atMost: limits.silence },
    refusal: 'unavailable',
    closing: ': it has room for one program',
    onRaw
  }
  const begin = (socket: FollowedSocket): SocketHandlers => {
    let [isSubscribed, isConnected, isOpen] = [false, false, false]
    const say = (message: object) => socket.send(JSON.stringify(message))
    const openIfReady = () => {
      if (isOpen || !isSubscribed || !isConnected) return
      isOpen = true
      socket.opened()
      onOpen()
    }
    const sink: ThetaDataFrameSink = {
      trade,
      quote,
      refused,
      status(connected) {
        isConnected = connected
        if (isOpen && !connected) socket.fail('unavailable', 'the Theta Terminal has lost its connection to ThetaData')
        else if (isOpen) onReceived()
        else openIfReady()
      },
      response(of, response) {
        if (of !== id) return
        const found = Object.hasOwn(ends, response) ? ends[response] : undefined
        if (found !== undefined) {
          socket.fail(found[0], `the Theta Terminal answers ${response} to a subscription: ${found[1]}`)
        } else if (response !== 'SUBSCRIBED') refused('an unknown response')
        else {
          isSubscribed = true
          openIfReady()
        }
      }
    }
    return {
      onConnect: () => say({ msg_type: 'STREAM_BULK', sec_type: 'OPTION', req_type: 'TRADE', add: true, id }),
      onMessage(data, isBinary) {
        if (isBinary) refused('a frame that is no text')
        else readThetaDataFrame(String(data), isWanted, sink)
        if (isOpen) onFrame()
      },
      // The terminal continues to receive trades from the vendor until it gets a STOP message.
      onStop: () => say({ msg_type: 'STOP', id: id + 1 })
    }
  }
  return followSocket(about, begin, signal)
}
