import type { Instant } from '../../../market/units.ts'
import type { FrameListener } from '../../port/capture/capture.ts'
import type { VendorFields } from '../../port/http/vendor-fields.ts'
import type { SourceFault } from '../../port/source-error.ts'
import type { FollowedSocket, FollowOptions, SocketHandlers } from '../../port/streams/follow-socket.ts'
import { followSocket } from '../../port/streams/follow-socket.ts'
import type { TastytradeStreamAccess } from '../tastytrade-rest.ts'
import {
  type DxlinkEventFields,
  type DxlinkEventSink,
  dxlinkReader,
  readFeedConfig,
  readFeedData
} from './dxlink-events.ts'

/** Times, milliseconds. */
export interface DxlinkLimits {
  /** From the first packet until events can be subscribed to. */
  readonly opening: number
  /** Between two signs of life of ours. */
  readonly keepalive: number
  /** Without a word of the server. */
  readonly silence: number
}

/** The protocol wants a sign of life at least every 60 s. */
export const usualDxlinkLimits: DxlinkLimits = { opening: 15_000, keepalive: 30_000, silence: 60_000 }

/** What is subscribed to: a type of event of one symbol of the stream. */
export interface DxlinkSubscription {
  readonly type: string
  readonly symbol: string
  /** Of what has a past, where `contract` gives one: from when on it is told. */
  readonly fromTime?: Instant
}

/** An open connection as its owner sees it. */
export interface DxlinkConnection {
  subscribe(wanted: readonly DxlinkSubscription[]): void
  unsubscribe(unwanted: readonly DxlinkSubscription[]): void
}

export interface DxlinkOptions {
  readonly access: TastytradeStreamAccess
  readonly limits: DxlinkLimits
  /** The fields that are read, by type of event. */
  readonly fields: DxlinkEventFields
  /** What of each symbol is told: what the vendor thinks fit, which is the usual, or its past and then what is new. */
  readonly contract?: 'AUTO' | 'HISTORY'
  readonly onOpen: (link: DxlinkConnection) => void
  readonly onEvents: DxlinkEventSink
  /** Told of every frame as it came. */
  readonly onRaw?: FrameListener | undefined
}

const CHANNEL = 1
/** Subscriptions in one message: a longer one closes the connection with 1009. */
const TOGETHER = 500
const MAX_FRAME = 64 * 2 ** 20
/** Seconds of the protocol: how long either side may be silent. */
const TIMEOUT = 60

/** What an error of the protocol means, by its name. */
const faults: Readonly<Record<string, SourceFault>> = {
  UNAUTHORIZED: 'refused',
  TIMEOUT: 'timeout',
  BAD_ACTION: 'malformed',
  INVALID_MESSAGE: 'malformed',
  UNSUPPORTED_PROTOCOL: 'malformed'
}

/**
 * One connection from its beginning to its end: logs in, opens a channel for events, then hands them out. Resolves when the
 * signal fires; rejects with a `SourceError` however else it ends, with what its owner throws as it is.
 * Source: dxFeed, dxLink WebSocket protocol 0.1.
 */
export function followDxlink(
  { access, limits, fields, contract = 'AUTO', onOpen, onEvents, onRaw }: DxlinkOptions,
  signal: AbortSignal
): Promise<void> {
  const about: FollowOptions = {
    address: access.address,
    vendor: 'tastytrade',
    secrets: access.secrets,
    maxFrame: MAX_FRAME,
    compressed: true,
    opening: limits.opening,
    silence: { atMost: limits.silence },
    onRaw
  }
  const begin = (socket: FollowedSocket): SocketHandlers => {
    const known = new Map<string, readonly string[]>()
    let hasAsked = false
    const say = (channel: number, type: string, more: object = {}) =>
      socket.send(JSON.stringify({ channel, type, ...more }))
    const change = (action: 'add' | 'remove', subscriptions: readonly DxlinkSubscription[]) => {
      for (let from = 0; from < subscriptions.length; from += TOGETHER) {
        say(CHANNEL, 'FEED_SUBSCRIPTION', { [action]: subscriptions.slice(from, from + TOGETHER) })
      }
    }
    const authorize = (state: string) => {
      if (state === 'AUTHORIZED') {
        say(CHANNEL, 'CHANNEL_REQUEST', { service: 'FEED', parameters: { contract } })
      } else if (hasAsked) {
        socket.fail('refused', 'the stream of tastytrade does not take the token of its own interface')
      } else {
        hasAsked = true
        say(0, 'AUTH', { token: access.token })
      }
    }
    const opened = () => {
      socket.opened()
      const acceptEventFields = Object.fromEntries(fields)
      say(CHANNEL, 'FEED_SETUP', { acceptAggregationPeriod: 1, acceptDataFormat: 'COMPACT', acceptEventFields })
      onOpen({ subscribe: (wanted) => change('add', wanted), unsubscribe: (unwanted) => change('remove', unwanted) })
    }
    const take = (frame: VendorFields) => {
      const type = dxlinkReader.text(frame, 'type')
      if (type === 'FEED_DATA') readFeedData(frame, known, onEvents)
      else if (type === 'FEED_CONFIG') readFeedConfig(frame, fields, known)
      else if (type === 'AUTH_STATE') authorize(dxlinkReader.text(frame, 'state'))
      else if (type === 'CHANNEL_OPENED') opened()
      else if (type === 'CHANNEL_CLOSED') {
        socket.fail('unavailable', 'the stream of tastytrade closed the channel of events')
      } else if (type === 'ERROR') {
        const error = dxlinkReader.text(frame, 'error')
        const said = JSON.stringify(`${error}: ${frame['message'] ?? ''}`)
        const fault = Object.hasOwn(faults, error) ? faults[error] : 'unavailable'
        socket.fail(fault, `the stream of tastytrade ends: ${said}`)
      }
    }
    socket.every(limits.keepalive, () => say(0, 'KEEPALIVE'))
    return {
      onConnect: () =>
        say(0, 'SETUP', { keepaliveTimeout: TIMEOUT, acceptKeepaliveTimeout: TIMEOUT, version: '0.1-gammawall/1.0' }),
      onMessage: (data) => take(dxlinkReader.body(data))
    }
  }
  return followSocket(about, begin, signal)
}
