import type { SourceFault } from '../../port/source-error.ts'
import {
  type FollowedSocket,
  type FollowOptions,
  followSocket,
  type SocketHandlers
} from '../../port/streams/follow-socket.ts'
import type { MarketStreamOptions } from '../../whole-market/market-stream.ts'

export interface MassiveStreamOptions extends MarketStreamOptions<string, MassiveConnection> {
  /** Address with the market's name, e.g. `wss://socket.massive.com/options`. */
  readonly address: string
  readonly key: string
  /** First channel to subscribe to, by the vendor's name, e.g. `T.*`. */
  readonly channel: string
}

export interface MassiveConnection {
  status(status: string, message: string): void
  send(action: 'subscribe' | 'unsubscribe', channels: readonly string[]): void
}

/** Largest frame accepted, bytes. */
const MAX_FRAME = 16 * 2 ** 20
const MAX_CHANNELS = 500

const ends: Readonly<Record<string, SourceFault>> = {
  auth_failed: 'refused',
  auth_timeout: 'timeout',
  max_connections: 'rate_limited',
  force_disconnect: 'unavailable'
}

/**
 * Runs one stream connection: logs in, subscribes and passes on frames. Frames are not queued, because the vendor
 * disconnects slow readers. Resolves when the signal fires; otherwise rejects with a `SourceError`, or with what a
 * callback throws.
 */
export function followMassiveStream(options: MassiveStreamOptions, signal: AbortSignal): Promise<void> {
  const { address, key, channel, limits, isBusy, onOpen, onFrame, onPong, onRaw, onRefused } = options
  const about: FollowOptions = {
    address,
    vendor: 'Massive',
    secrets: [key],
    maxFrame: MAX_FRAME,
    opening: limits.opening,
    pings: { every: limits.ping, answer: limits.pong },
    silence: { atMost: limits.silence, isBusy },
    onRaw
  }
  const begin = (socket: FollowedSocket): SocketHandlers => {
    let isAsked = false
    let isOpen = false
    const say = (message: object) => socket.send(JSON.stringify(message))
    const connection: MassiveConnection = {
      status(status, message) {
        if (status === 'connected') say({ action: 'auth', params: key })
        else if (status === 'auth_success') subscribe()
        else if (status === 'success' && isAsked) opened()
        else if (Object.hasOwn(ends, status)) socket.fail(ends[status], endText(status, message))
        else if (status === 'error' && !isOpen) socket.fail('refused', `Massive refuses ${channel}: ${quoted(message)}`)
        else onRefused(status === 'error' ? 'a subscription that Massive refuses' : 'an unknown status')
      },
      send(action, channels) {
        for (let from = 0; from < channels.length; from += MAX_CHANNELS) {
          say({ action, params: channels.slice(from, from + MAX_CHANNELS).join() })
        }
      }
    }
    const subscribe = () => {
      isAsked = true
      connection.send('subscribe', [channel])
    }
    const opened = () => {
      if (isOpen) return
      isOpen = true
      socket.opened()
      onOpen()
    }
    return {
      onMessage(data, isBinary) {
        if (!isBinary) return onFrame(String(data), connection)
        onRefused('a frame that is no text')
        return false
      },
      onPong
    }
  }
  return followSocket(about, begin, signal)
}

function endText(status: string, message: string): string {
  if (status === 'auth_failed') {
    return `Massive refuses the key of GAMMAWALL_MASSIVE_KEY or its file: ${quoted(message)}. It may be wrong, or of a plan without this stream: see --massive-feed`
  }
  if (status === 'max_connections') {
    return `Massive says that the account has too many connections: ${quoted(message)}. It allows one for each market: another program uses the key`
  }
  return `Massive ended the stream (${status}): ${quoted(message)}`
}

const quoted = (text: string) => JSON.stringify(text)
