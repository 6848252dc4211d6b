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

/** Timeouts and intervals, milliseconds. */
export interface DxlinkLimits {
  /** Time limit from the first packet until subscriptions are possible, milliseconds. */
  readonly opening: number
  /** Time between two keepalive messages that we send, milliseconds. */
  readonly keepalive: number
  /** Silence of the server after which the connection is closed, milliseconds. */
  readonly silence: number
}

/** Usual limits. The protocol requires a keepalive message at least every 60 s. */
export const usualDxlinkLimits: DxlinkLimits = { opening: 15_000, keepalive: 30_000, silence: 60_000 }

/** Subscription to one event type of one stream symbol. */
export interface DxlinkSubscription {
  readonly type: string
  readonly symbol: string
  /** Start of the requested history; only for event types that have a history. */
  readonly fromTime?: Instant
}

export interface DxlinkConnection {
  subscribe(wanted: readonly DxlinkSubscription[]): void
  unsubscribe(unwanted: readonly DxlinkSubscription[]): void
}

export interface DxlinkOptions {
  readonly access: TastytradeStreamAccess
  readonly limits: DxlinkLimits
  readonly fields: DxlinkEventFields
  /** AUTO: the vendor chooses which events to send. HISTORY: past events first, then new ones. */
  readonly contract?: 'AUTO' | 'HISTORY'
  readonly onOpen: (link: DxlinkConnection) => void
  readonly onEvents: DxlinkEventSink
  readonly onRaw?: FrameListener | undefined
}

const CHANNEL = 1
/** Subscriptions per message; the server closes the connection (1009) on longer messages. */
const TOGETHER = 500
const MAX_FRAME = 64 * 2 ** 20
/** Longest silence that each side allows the other, seconds; it is announced to the server. */
const TIMEOUT = 60

const faults: Readonly<Record<string, SourceFault>> = {
  UNAUTHORIZED: 'refused',
  TIMEOUT: 'timeout',
  BAD_ACTION: 'malformed',
  INVALID_MESSAGE: 'malformed',
  UNSUPPORTED_PROTOCOL: 'malformed'
}

/**
 * Runs one connection: logs in, opens a feed channel and passes on its events. Resolves when the signal fires;
 * otherwise rejects with a `SourceError`, or with what a callback throws. Source: dxFeed, dxLink WebSocket protocol
 * 0.1.
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
        const reason = JSON.stringify(`${error}: ${frame['message'] ?? ''}`)
        const fault = Object.hasOwn(faults, error) ? faults[error] : 'unavailable'
        socket.fail(fault, `the stream of tastytrade ends: ${reason}`)
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
