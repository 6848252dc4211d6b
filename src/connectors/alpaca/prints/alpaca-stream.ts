import { encode } from '@msgpack/msgpack'
import type { SourceFault } from '../../port/source-error.ts'
import {
  type FollowedSocket,
  type FollowOptions,
  followSocket,
  type SocketHandlers
} from '../../port/streams/follow-socket.ts'
import type { MarketStreamOptions } from '../../whole-market/market-stream.ts'
import type { AlpacaKeys } from '../alpaca-rest.ts'

export interface AlpacaStreamOptions extends MarketStreamOptions<Uint8Array, AlpacaConnection> {
  /** Address with the feed's name, e.g. `wss://stream.data.alpaca.markets/v1beta1/opra`. */
  readonly address: string
  readonly keys: AlpacaKeys
}

export interface AlpacaConnection {
  success(message: string): void
  error(code: number, message: string): void
  subscribed(): void
  quotes(action: 'subscribe' | 'unsubscribe', contracts: readonly string[]): void
}

/** Largest frame accepted, bytes. */
const MAX_FRAME = 16 * 2 ** 20
const MAX_CONTRACTS = 500
/** Subscribes to all trades of the market; there is no channel per underlying. */
const ALL = '*'

/** Maps the vendor's error codes to faults. Other codes are counted and do not end the stream. */
const faults: ReadonlyMap<number, SourceFault> = new Map([
  [401, 'refused'],
  [402, 'refused'],
  [404, 'timeout'],
  [406, 'rate_limited'],
  [407, 'rate_limited'],
  [408, 'refused'],
  [409, 'refused'],
  [411, 'refused'],
  [412, 'malformed'],
  [500, 'unavailable']
])
/** Error codes that end the stream when they answer the subscription to all trades. Later they concern only quotes. */
const faultsOfSubscription: ReadonlyMap<number, SourceFault> = new Map([
  [400, 'malformed'],
  [405, 'rate_limited'],
  [410, 'refused'],
  [413, 'refused']
])

/**
 * Runs one stream connection: logs in, subscribes and passes on frames. Resolves when the signal fires; otherwise
 * rejects with a `SourceError`, or with what a callback throws.
 */
export function followAlpacaStream(options: AlpacaStreamOptions, signal: AbortSignal): Promise<void> {
  const { address, keys, limits, isBusy, onOpen, onFrame, onPong, onRaw, onRefused } = options
  const about: FollowOptions = {
    address,
    headers: { 'content-type': 'application/msgpack' },
    vendor: 'Alpaca',
    secrets: [keys.key, keys.secret],
    maxFrame: MAX_FRAME,
    opening: limits.opening,
    pings: { every: limits.ping, answer: limits.pong },
    silence: { atMost: limits.silence, isBusy },
    onRaw
  }
  const begin = (socket: FollowedSocket): SocketHandlers => {
    let isOpen = false
    const say = (message: object) => socket.send(encode(message))
    const connection: AlpacaConnection = {
      success(message) {
        if (message === 'connected') say({ action: 'auth', key: keys.key, secret: keys.secret })
        else if (message === 'authenticated') say({ action: 'subscribe', trades: [ALL] })
        else onRefused('an unknown step of the log-in')
      },
      error(code, message) {
        const fault = faults.get(code) ?? (isOpen ? undefined : faultsOfSubscription.get(code))
        if (fault === undefined) onRefused(`the error ${code}, of quotes that are not told`)
        else socket.fail(fault, errorText(code, message))
      },
      subscribed() {
        if (isOpen) return
        isOpen = true
        socket.opened()
        onOpen()
      },
      quotes(action, contracts) {
        for (let from = 0; from < contracts.length; from += MAX_CONTRACTS) {
          say({ action, quotes: contracts.slice(from, from + MAX_CONTRACTS) })
        }
      }
    }
    return {
      onMessage: (data) => onFrame(data, connection),
      onPong
    }
  }
  return followSocket(about, begin, signal)
}

function errorText(code: number, message: string): string {
  const reason = `${JSON.stringify(message)} (${code})`
  if (code === 402 || code === 401) {
    return `Alpaca refuses the keys of GAMMAWALL_ALPACA_KEY and GAMMAWALL_ALPACA_SECRET, or of their files: ${reason}`
  }
  if (code === 406) return `Alpaca allows one stream an account, and another program has it: ${reason}`
  if (code === 409) return `the plan of the keys at Alpaca does not include this stream: ${reason}; see --alpaca-feed`
  if (code === 410 || code === 413)
    return `Alpaca refuses all trades (${ALL}) on this feed: ${reason}; see --alpaca-feed`
  return `Alpaca ended the stream: ${reason}`
}
